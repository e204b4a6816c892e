import type { RemoteEnvironment, TaskSelector } from '../../client/index.ts';
import { oneLine } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import type { ServerConnection } from '../remote/connect.ts';
import { unknownName } from '../remote/names.ts';
import { parseTaskFlags, type TaskFlags } from '../remote/task-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chooseName } from './choose.ts';
import type { LinePrompt } from './questions.ts';

/** The task that the options name; what they leave open, the player is asked. @throws Failure if there is none. */
export async function chooseTask(
  environment: RemoteEnvironment,
  flags: TaskFlags,
  ask: ServerConnection['request'],
  questions: LinePrompt,
  terminal: Terminal,
): Promise<TaskSelector> {
  if (flags.task !== undefined || (flags.split !== undefined && flags.index !== undefined)) {
    const task = await parseTaskFlags(flags);
    if (task) return task;
  }
  const names = (await ask((signal) => environment.splits({ signal }))).map(({ name }) => name);
  if (names.length === 0) throw new CliError(`'${environment.name}' has no splits; give a task by --task '<json>'`);
  if (flags.split !== undefined && !names.includes(flags.split)) {
    throw new CliError(`in '${environment.name}' ${unknownName('split', flags.split, names)}`);
  }
  const split = flags.split ?? (await chooseName('split', names, questions, terminal));
  return { split, index: flags.index ?? (await chooseIndex(environment, split, ask, questions, terminal)) };
}

async function chooseIndex(
  environment: RemoteEnvironment,
  split: string,
  ask: ServerConnection['request'],
  questions: LinePrompt,
  terminal: Terminal,
): Promise<number> {
  const count = await ask((signal) => environment.countTasks(split, { signal }));
  if (count === 0) throw new CliError(`split '${split}' of '${environment.name}' has no tasks; take another one`);
  const random = Math.floor(Math.random() * count);
  if (count === 1) return 0;
  for (;;) {
    const line = (await questions.ask(`index, 0 to ${count - 1} (Enter: ${random})? `)).trim();
    if (line === '') return random;
    if (/^\d+$/.test(line) && Number(line) < count) return Number(line);
    terminal.print(`  '${oneLine(line)}' is no index; write a whole number from 0 to ${count - 1}\n`);
  }
}

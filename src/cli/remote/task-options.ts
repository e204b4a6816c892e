import { type Command, Option } from 'commander';
import type { TaskSelector } from '../../client/index.ts';
import { CliError } from '../failure.ts';
import { integerOption } from '../option-parsers.ts';
import { readJsonObject } from './json-argument.ts';
import { readSecret } from './secrets.ts';

/** Which task an episode is of. */
export interface TaskFlags {
  readonly split?: string;
  readonly index?: number;
  readonly task?: string;
  readonly secret?: Readonly<Record<string, string>>;
}

export function addTaskOptions(command: Command): Command {
  return command
    .option('--split <name>', 'split of the task')
    .option('--index <number>', 'index of the task in its split, from 0', integerOption())
    .addOption(
      new Option('--task <json>', 'the task itself, as JSON or @file, for a task that is in no split').conflicts([
        'split',
        'index',
      ]),
    )
    .option(
      '--secret <name[=value]>',
      'a secret for the episode; without a value, that of the variable (repeat)',
      readSecret,
    );
}

/** The task that the options name; undefined if they name none. @throws Failure if they name half of one. */
export async function parseTaskFlags({ task, split, index }: TaskFlags): Promise<TaskSelector | undefined> {
  if (task !== undefined) return { task: await readJsonObject(task, '--task') };
  if (split === undefined && index === undefined) return undefined;
  if (split === undefined) throw new CliError(`--index ${index} needs a split; add --split <name>`);
  if (index === undefined) throw new CliError(`--split ${split} needs an index; add --index <number>`);
  return { split, index };
}

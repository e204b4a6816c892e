import { Command } from 'commander';
import type { TaskSelector } from '../../client/index.ts';
import { oneLine, shellCommand } from '../../core/index.ts';
import { CliError } from '../failure.ts';
import { chooseName } from '../play/choose.ts';
import { chooseTask } from '../play/choose-task.ts';
import { type PlayResult, playInteractively } from '../play/play-episode.ts';
import { createLinePrompt, InputEndedError, type LinePrompt } from '../play/questions.ts';
import { scoreText } from '../play/score.ts';
import { connectToServer, type ServerConnection } from '../remote/connect.ts';
import { addConnectionOptions, type ConnectionFlags } from '../remote/connection-options.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { openSessionWithHints } from '../remote/open-session.ts';
import { reportFailure } from '../remote/report-failure.ts';
import { addTaskOptions, type TaskFlags } from '../remote/task-options.ts';
import { imageFolder } from '../terminal/images.ts';
import { openTerminal } from '../terminal/terminal.ts';

interface PlayFlags extends ConnectionFlags, TaskFlags {
  readonly images?: string;
}

const HELP = `
What the options leave open is asked for. A text of several lines stands between two lines of """.
Leaving, by q, Ctrl-D or Ctrl-C, deletes the episode.

Examples:
  $ ors play http://127.0.0.1:8080
  $ ors play http://127.0.0.1:8080 maze --split test --index 0`;

/** `ors play <url> [environment]`. */
export function createPlayCommand(): Command {
  const command = new Command('play')
    .description('Play an episode by hand, as the agent would.')
    .argument('<url>', 'address of the server')
    .argument('[environment]', 'environment to play');
  return addConnectionOptions(addTaskOptions(command))
    .option('--images <folder>', 'where images are saved (default: a new temporary folder)')
    .addHelpText('after', HELP)
    .action((url: string, environment: string | undefined, flags: PlayFlags) =>
      reportFailure(false, () => run(url, environment, flags), flags),
    );
}

async function run(url: string, name: string | undefined, flags: PlayFlags): Promise<void> {
  using interrupts = listenForInterrupts();
  await using server = await connectToServer(url, flags, interrupts.signal);
  using questions = createLinePrompt({
    input: process.stdin,
    output: process.stdout,
    signal: interrupts.signal,
    onInterrupt: () => interrupts.interrupt('SIGINT'),
  });
  try {
    await play(server, name, flags, questions, interrupts.signal);
    interrupts.signal.throwIfAborted();
  } catch (error) {
    if (!(error instanceof InputEndedError)) throw error;
    process.stdout.write('\nThe input ended before the episode began; nothing was played.\n');
  }
}

async function play(
  server: ServerConnection,
  name: string | undefined,
  flags: PlayFlags,
  questions: LinePrompt,
  interrupt: AbortSignal,
): Promise<void> {
  const terminal = openTerminal();
  const { url, names, request } = server;
  if (names.length === 0) throw new CliError(`the server at ${url} has no environments to play`);
  const environment = server.environment(name ?? (await chooseName('environment', names, questions, terminal)));
  const task = await chooseTask(environment, flags, request, questions, terminal);
  terminal.print(`${terminal.style('bold', `${oneLine(environment.name)}, ${placeOf(task)}`)}\n`);
  const session = await openSessionWithHints(environment, task, flags.secret ?? {}, request);
  try {
    const images = imageFolder(flags.images);
    const played = await playInteractively(session, { ask: request, questions, terminal, images, interrupt });
    terminal.print(farewell(played, url, environment.name, task));
  } finally {
    await session[Symbol.asyncDispose]();
  }
}

const placeOf = (task: TaskSelector): string =>
  'task' in task ? 'a task of your own' : `${oneLine(task.split)} ${task.index}`;

function farewell({ score, finished }: PlayResult, url: string, environment: string, task: TaskSelector): string {
  const end = finished ? 'The episode is finished' : 'You left, and the episode is deleted';
  const place = 'task' in task ? [] : ['--split', task.split, '--index', String(task.index)];
  const again = place.length === 0 ? '' : `Again: ${shellCommand('ors', 'play', url, environment, ...place)}\n`;
  return `\n${end}: ${scoreText(score)}.\n${again}`;
}

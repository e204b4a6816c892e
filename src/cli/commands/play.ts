import type { TaskSelector } from '../../client/index.ts';
import { oneLine, shellCommand } from '../../core/index.ts';
import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { chooseName, chooseTask } from '../play/ask.ts';
import { createLinePrompt, InputEndedError, type LinePrompt } from '../play/line-prompt.ts';
import { type PlayResult, playInteractively, scoreText } from '../play/play-episode.ts';
import { listenForInterrupts } from '../process.ts';
import { connectToServer, openSessionWithHints, type ServerConnection } from '../remote/connect.ts';
import { type ConnectionFlags, connectionFlags, type TaskFlags, taskFlags } from '../remote/flags.ts';
import { imageFolder } from '../terminal/show-result.ts';
import { openTerminal } from '../terminal/terminal.ts';

type PlayFlags = ConnectionFlags & TaskFlags & { readonly images?: string };

export const playCommand = defineCommand({
  name: 'play',
  summary: 'Play an episode by hand, as the agent would.',
  arguments: [
    ['<url>', 'URL of the server'],
    ['[environment]', 'environment to play'],
  ],
  flags: {
    ...taskFlags,
    ...connectionFlags,
    '--images <folder>': 'folder for images (default: a new temporary folder)',
  },
  details: `Asks for everything that the flags omit. Write a text of several lines between two lines of """.
Leave with q, Ctrl-D or Ctrl-C: the episode is deleted.`,
  examples: ['ors play http://127.0.0.1:8080', 'ors play http://127.0.0.1:8080 maze --split test --index 0'],
  run,
});

async function run(url: string, name: string | undefined, flags: PlayFlags): Promise<void> {
  using interrupts = listenForInterrupts();
  await using server = await connectToServer(url, flags, interrupts.signal);
  using prompt = createLinePrompt({
    input: process.stdin,
    output: process.stdout,
    signal: interrupts.signal,
    onInterrupt: () => interrupts.interrupt('SIGINT'),
  });
  try {
    await play(server, name, flags, prompt, interrupts.signal);
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
  prompt: LinePrompt,
  interrupt: AbortSignal,
): Promise<void> {
  const terminal = openTerminal();
  const { url, names, request } = server;
  if (names.length === 0) throw new CliError(`the server at ${url} has no environments to play`);
  const environment = server.environment(name ?? (await chooseName('environment', names, { prompt, terminal })));
  const task = await chooseTask(environment, flags, request, { prompt, terminal });
  terminal.print(`${terminal.style('bold', `${oneLine(environment.name)}, ${describeTask(task)}`)}\n`);
  const session = await openSessionWithHints(environment, task, flags.secret ?? {}, request);
  try {
    const images = imageFolder(flags.images);
    const played = await playInteractively(session, { request, prompt, terminal, images, interrupt });
    terminal.print(summary(played, url, environment.name, task));
  } finally {
    await session[Symbol.asyncDispose]();
  }
}

const describeTask = (task: TaskSelector): string =>
  'task' in task ? 'custom task' : `${oneLine(task.split)} ${task.index}`;

function summary({ score, finished }: PlayResult, url: string, environment: string, task: TaskSelector): string {
  const end = finished ? 'The episode is finished' : 'You left, and the episode is deleted';
  const flags = 'task' in task ? [] : ['--split', task.split, '--index', String(task.index)];
  const again = flags.length === 0 ? '' : `Again: ${shellCommand('ors', 'play', url, environment, ...flags)}\n`;
  return `\n${end}: ${scoreText(score)}.\n${again}`;
}

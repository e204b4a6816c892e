import { CallLostError, OrsHttpError, ToolCallError, ToolCrashedError, type CallResult, type Session, type TaskSelector } from '../../client/index.ts';
import { formatNumber, noun, oneLine, plural, shellCommand, sum, truncate } from '../../core/index.ts';
import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { askInput, chooseName, chooseTask, type Player } from '../play/ask.ts';
import { InputEndedError, createLinePrompt, type LinePrompt } from '../play/line-prompt.ts';
import { listenForInterrupts } from '../process.ts';
import { connectToServer, openSessionWithHints, type ServerConnection } from '../remote/connect.ts';
import { connectionFlags, taskFlags, type ConnectionFlags, type TaskFlags } from '../remote/flags.ts';
import { imageFolder, printBlocks, printResult, toolDetails, type ImageFolder } from '../terminal/show-episode.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { type JSONObject, type ToolSpec } from '../../protocol/index.ts';
import { describeError } from '../report-failure.ts';

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

interface PlayContext extends Player {
  readonly request: ServerConnection['request'];
  readonly images: ImageFolder;
  /** Aborts on Ctrl-C. */
  readonly interrupt: AbortSignal;
}

export interface PlayResult {
  readonly score: Score;
  /** False if the player left early. */
  readonly finished: boolean;
}

const HELP = '  number or name: call a tool; ?: show the tools in full; p: show the prompt; q: leave\n';
const COMMANDS = ['?', 'p', 'q'];
const QUOTES = '  write the name in double quotes if a tool has the name of a command or number\n';

/** Plays until a call finishes the episode or the player leaves. @throws errors that end the session. */
export async function playInteractively(session: Session, context: PlayContext): Promise<PlayResult> {
  const { request, terminal, images, prompt } = context;
  const blocks = await request((signal) => session.prompt({ signal }));
  const tools = await request((signal) => session.tools({ signal }));
  const names = tools.map(({ name }) => name);
  const help = `${HELP}${names.some(isAmbiguous) ? QUOTES : ''}`;
  terminal.print('\n');
  await printBlocks(blocks, terminal, images);
  terminal.print(`\n${menu(tools, terminal)}${help}`);
  let score = EMPTY_SCORE;
  try {
    for (;;) {
      terminal.print('\n');
      const line = (await prompt.ask('tool? ')).trim();
      const tool = findTool(line, tools);
      if (tool) {
        const result = await callTool(session, tool, await askInput(tool, context), context);
        score = addCall(score, result?.reward ?? null);
        if (result) await printResult(result, terminal, images, `total ${formatTotalReward(score)}`);
        if (result?.finished) return { score, finished: true };
      } else if (line === 'q') return { score, finished: false };
      else if (line === 'p') await printBlocks(blocks, terminal, images);
      else if (line === '?') terminal.print(toolDetails(tools, terminal, '  '));
      else terminal.print(`${line && `  there is no tool '${oneLine(line)}'\n`}${menu(tools, terminal)}${help}`);
    }
  } catch (error) {
    if (!(error instanceof InputEndedError) && !context.interrupt.aborted) throw error;
    terminal.print('\n');
    return { score, finished: false };
  }
}

/** Returns true if a name could also be a command or a number. */
const isAmbiguous = (name: string): boolean => COMMANDS.includes(name) || /^\d+$/.test(name);

/** Returns the tool that a line selects, by number, by name, or by quoted name. */
function findTool(line: string, tools: readonly ToolSpec[]): ToolSpec | undefined {
  if (COMMANDS.includes(line)) return undefined;
  const numbered = /^\d+$/.test(line) ? tools[Number(line) - 1] : undefined;
  return numbered ?? tools.find(({ name }) => line === name || line === JSON.stringify(name));
}

function menu(tools: readonly ToolSpec[], terminal: Terminal): string {
  const column = String(tools.length).length;
  const lines = tools.map(({ name, description }, index) => {
    const number = `  ${String(index + 1).padStart(column)}  `;
    const shown = oneLine(name);
    const width = terminal.width - number.length - shown.length - 2;
    return `${number}${terminal.style('cyan', shown)}  ${truncate(oneLine(description), width)}\n`;
  });
  return lines.join('') || '  This episode has no tools.\n';
}

/** Returns the result, or undefined after a failure that the episode survives, which is printed. */
async function callTool(
  session: Session,
  { name }: ToolSpec,
  input: JSONObject,
  { request, terminal }: PlayContext,
): Promise<CallResult | undefined> {
  try {
    return await request((signal) => session.call(name, input, { signal }));
  } catch (error) {
    if (!(error instanceof ToolCallError) && !isSurvivable(error)) throw error;
    const message =
      error instanceof ToolCallError ? `rejected: ${oneLine(error.detail)}` : `failed: ${describeError(error)}`;
    terminal.print(`${terminal.style('yellow', message)}\n`);
    return undefined;
  }
}

const isSurvivable = (error: unknown): boolean =>
  error instanceof ToolCrashedError || error instanceof CallLostError || error instanceof OrsHttpError;

/** Rewards of an episode so far. */
interface Score {
  readonly calls: number;
  /** In the order of the calls; calls without reward are omitted. */
  readonly rewards: readonly number[];
}

const EMPTY_SCORE: Score = { calls: 0, rewards: [] };

const addCall = ({ calls, rewards }: Score, reward: number | null): Score => ({
  calls: calls + 1,
  rewards: reward === null ? rewards : [...rewards, reward],
});

const formatTotalReward = ({ rewards }: Score): string => formatNumber(sum(rewards), 12);

const SHOWN_REWARDS = 20;

/** `3 calls, rewards 0, 0, 1, total 1` */
export function scoreText(score: Score): string {
  const { calls, rewards } = score;
  const count = plural(calls, 'call');
  if (rewards.length === 0) return `${count}, no rewards`;
  const hidden = rewards.length > SHOWN_REWARDS ? '…, ' : '';
  const shown = rewards
    .slice(-SHOWN_REWARDS)
    .map((reward) => formatNumber(reward, 12))
    .join(', ');
  return `${count}, ${noun(rewards.length, 'reward')} ${hidden}${shown}, total ${formatTotalReward(score)}`;
}

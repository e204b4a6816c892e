import {
  CallLostError,
  type CallResult,
  OrsHttpError,
  type Session,
  type TaskSelector,
  ToolCallError,
  ToolCrashedError,
} from '../../client/index.ts';
import { didYouMean, formatNumber, noun, oneLine, plural, sum } from '../../core/index.ts';
import type { TerminalTool, ToolSpec } from '../../protocol/index.ts';
import { defineCommand, type FlagValues } from '../command.ts';
import { CliError } from '../failure.ts';
import {
  askAnswer,
  askInput,
  chooseName,
  chooseTask,
  createLinePrompt,
  formatNumberedList,
  InputEndedError,
  type Player,
} from '../play/ask.ts';
import { listenForInterrupts } from '../process.ts';
import { connectToServer, openSessionWithHints, type ServerConnection } from '../remote/connect.ts';
import { connectionFlags, sessionOptions, taskFlags } from '../remote/flags.ts';
import { describeError } from '../report-failure.ts';
import {
  type ImageFolder,
  imageFolder,
  printMessages,
  printResult,
  terminalToolDetails,
  toolDetails,
} from '../terminal/show-episode.ts';
import { openTerminal, orsCommand, type Terminal } from '../terminal/terminal.ts';

const flags = {
  ...taskFlags,
  ...connectionFlags,
  '--images <folder>': 'folder for images (default: a new temporary folder)',
} as const;

type PlayFlags = FlagValues<typeof flags>;

export const playCommand = defineCommand({
  name: 'play',
  arguments: [
    ['<url>', 'URL of the server'],
    ['[environment]', 'environment to play'],
  ],
  flags,
  details: `Asks for everything that the flags omit. Write a text of several lines between two lines of """.
If the environment grades the final message of the agent, 'answer' submits it, and ends the episode.
Leave with q, Ctrl-D or Ctrl-C: the episode is deleted.`,
  examples: ['ors play http://127.0.0.1:8080', 'ors play http://127.0.0.1:8080 maze --split test --index 0'],
  async run(url, name, flags) {
    using interrupts = listenForInterrupts();
    const { signal } = interrupts;
    await using server = await connectToServer(url, flags, signal);
    const { stdin: input, stdout: output } = process;
    using prompt = createLinePrompt({ input, output, signal, onInterrupt: () => interrupts.interrupt('SIGINT') });
    try {
      await play(server, name, flags, { prompt, terminal: openTerminal() }, signal);
      signal.throwIfAborted();
    } catch (error) {
      if (!(error instanceof InputEndedError)) throw error;
      output.write('\nYou left before the episode began; nothing was played.\n');
    }
  },
});

async function play(
  { url, names, request, environment: open }: ServerConnection,
  name: string | undefined,
  flags: PlayFlags,
  player: Player,
  interrupt: AbortSignal,
): Promise<void> {
  const { terminal } = player;
  if (names.length === 0) throw new CliError(`the server at ${url} has no environments to play`);
  const environment = open(name ?? (await chooseName('environment', names, player)));
  const task = await chooseTask(environment, flags, request, player);
  terminal.print(`${terminal.style('bold', `${oneLine(environment.name)}, ${describeTask(task)}`)}\n`);
  await using session = await openSessionWithHints(environment, task, sessionOptions(flags), request);
  const context = { ...player, request, images: imageFolder(flags.images), interrupt };
  terminal.print(summary(await playInteractively(session, context), url, environment.name, task));
}

const describeTask = (task: TaskSelector): string =>
  'task' in task ? 'custom task' : `${oneLine(task.split)} ${task.index}`;

const ENDINGS = {
  finished: 'The episode is finished',
  answered: 'Your answer is submitted',
  left: 'You left, and the episode is deleted',
} as const;

function summary({ rewards, end }: PlayResult, url: string, environment: string, task: TaskSelector): string {
  const flags = 'task' in task ? [] : ['--split', task.split, '--index', String(task.index)];
  const again = flags.length === 0 ? '' : `Again: ${orsCommand('play', url, environment, ...flags)}\n`;
  return `\n${ENDINGS[end]}: ${scoreText(rewards)}.\n${again}`;
}

interface PlayContext extends Player {
  readonly request: ServerConnection['request'];
  readonly images: ImageFolder;
  /** Aborts on Ctrl-C. */
  readonly interrupt: AbortSignal;
}

interface PlayResult {
  /** One per call; null for a call without reward. */
  readonly rewards: readonly (number | null)[];
  readonly end: keyof typeof ENDINGS;
}

const HELP = '  number or name: call a tool; ?: show the tools in full; p: show the prompt; q: leave\n';
const COMMANDS = ['?', 'p', 'q'];
const ANSWER = 'answer';
const QUOTES = '  write the name in double quotes if a tool has the name of a command or number\n';

/** Plays until a call finishes the episode, or the player submits an answer or leaves. @throws errors that end the session. */
async function playInteractively(session: Session, context: PlayContext): Promise<PlayResult> {
  const { request, terminal, images, prompt } = context;
  const messages = await request((signal) => session.messages({ signal }));
  const tools = await request((signal) => session.tools({ signal }));
  const terminalTool = await request((signal) => session.terminalTool({ signal }));
  const commands = terminalTool ? [...COMMANDS, ANSWER] : COMMANDS;
  const list = formatNumberedList(tools, terminal) || '  This episode has no tools.\n';
  const graded = terminalTool ? `  ${ANSWER}: submit the final message, which ends the episode\n` : '';
  const menu = `${list}${HELP}${graded}${tools.some((tool) => isAmbiguous(tool, commands)) ? QUOTES : ''}`;
  terminal.print('\n');
  await printMessages(messages, terminal, images);
  terminal.print(`\n${menu}`);
  const rewards: (number | null)[] = [];
  const play = async (call: (signal: AbortSignal) => Promise<CallResult>) => {
    const result = await settle(call, context);
    rewards.push(result?.reward ?? null);
    if (result) await printResult(result, terminal, images, `total ${formatTotal(rewards)}`);
    return result;
  };
  try {
    for (;;) {
      terminal.print('\n');
      const line = (await prompt.ask('tool? ')).trim();
      const tool = findTool(line, tools, commands);
      if (tool) {
        const input = await askInput(tool, context);
        const result = await play((signal) => session.call(tool.name, input, { signal }));
        if (result?.finished) return { rewards, end: 'finished' };
      } else if (terminalTool && line === ANSWER) {
        const answer = await askAnswer(terminalTool, context);
        const result = await play((signal) => session.answer(answer, { signal }));
        // A rollout ends with its answer too, whether or not the environment says so.
        if (result) return { rewards, end: result.finished ? 'finished' : 'answered' };
      } else if (line === 'q') return { rewards, end: 'left' };
      else if (line === 'p') await printMessages(messages, terminal, images);
      else if (line === '?') terminal.print(fullList(tools, terminalTool, terminal));
      else terminal.print(`${line && `  ${unknownTool(line, tools)}\n`}${menu}`);
    }
  } catch (error) {
    if (!(error instanceof InputEndedError) && !context.interrupt.aborted) throw error;
    terminal.print('\n');
    return { rewards, end: 'left' };
  }
}

const fullList = (tools: readonly ToolSpec[], terminalTool: TerminalTool | null, terminal: Terminal): string =>
  `${toolDetails(tools, terminal, '  ')}${terminalTool ? `\n${terminalToolDetails(terminalTool, terminal, '  ')}` : ''}`;

/** Returns true if a name could also be a command or a number. */
const isAmbiguous = ({ name }: ToolSpec, commands: readonly string[]): boolean =>
  commands.includes(name) || /^\d+$/.test(name);

/** Returns the tool that a line selects, by number, by name, or by quoted name. */
function findTool(line: string, tools: readonly ToolSpec[], commands: readonly string[]): ToolSpec | undefined {
  if (commands.includes(line)) return undefined;
  const numbered = /^\d+$/.test(line) ? tools[Number(line) - 1] : undefined;
  return numbered ?? tools.find(({ name }) => line === name || line === JSON.stringify(name));
}

/** Returns the result, or undefined after a failure that the episode survives, which is printed. */
async function settle(
  call: (signal: AbortSignal) => Promise<CallResult>,
  { request, terminal }: PlayContext,
): Promise<CallResult | undefined> {
  try {
    return await request(call);
  } catch (error) {
    if (!(error instanceof ToolCallError) && !isSurvivable(error)) throw error;
    terminal.print(`${terminal.style('yellow', describeFailure(error))}\n`);
    return undefined;
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof ToolCallError)) return `failed: ${describeError(error)}`;
  return `rejected${error.reason === null ? '' : ` (${error.reason})`}: ${oneLine(error.detail)}`;
}

const isSurvivable = (error: unknown): boolean =>
  error instanceof ToolCrashedError || error instanceof CallLostError || error instanceof OrsHttpError;

const formatTotal = (rewards: PlayResult['rewards']): string =>
  formatNumber(sum(rewards.map((reward) => reward ?? 0)), 12);

const SHOWN_REWARDS = 20;

/** `3 calls, rewards 0, 0, 1, total 1` */
function scoreText(calls: PlayResult['rewards']): string {
  const count = plural(calls.length, 'call');
  const rewards = calls.filter((reward) => reward !== null).map((reward) => formatNumber(reward, 12));
  if (rewards.length === 0) return `${count}, no rewards`;
  const hidden = rewards.length > SHOWN_REWARDS ? '…, ' : '';
  const shown = rewards.slice(-SHOWN_REWARDS).join(', ');
  return `${count}, ${noun(rewards.length, 'reward')} ${hidden}${shown}, total ${formatTotal(calls)}`;
}

/** Says what to type instead of a line that is not the name of a tool. */
function unknownTool(line: string, tools: readonly ToolSpec[]): string {
  const names = tools.map(({ name }) => name);
  const [first = ''] = line.split(/[\s({]/);
  if (names.includes(first)) return `write ${first} alone; its parameters are asked next`;
  const meant = didYouMean(line, names);
  return `there is no tool '${oneLine(line)}'${meant === '' ? '' : `.${meant}`}`;
}

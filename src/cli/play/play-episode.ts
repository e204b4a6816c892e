import {
  CallLostError,
  type CallResult,
  OrsHttpError,
  type Session,
  ToolCallError,
  ToolCrashedError,
} from '../../client/index.ts';
import { formatNumber, noun, oneLine, plural, sum, truncate } from '../../core/index.ts';
import type { JSONObject, ToolSpec } from '../../protocol/index.ts';
import type { ServerConnection } from '../remote/connect.ts';
import { describeError } from '../report-failure.ts';
import { type ImageFolder, printBlocks, printResult } from '../terminal/show-result.ts';
import { toolDetails } from '../terminal/show-tools.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { askInput, type Player } from './ask.ts';
import { InputEndedError } from './line-prompt.ts';

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

import {
  CallLostError,
  type CallResult,
  OrsHttpError,
  type Session,
  ToolCallError,
  ToolCrashedError,
} from '../../client/index.ts';
import { oneLine, truncate } from '../../core/index.ts';
import type { JSONObject, ToolSpec } from '../../protocol/index.ts';
import type { ServerConnection } from '../remote/connect.ts';
import { describeError } from '../remote/report-failure.ts';
import type { ImageFolder } from '../terminal/images.ts';
import { printBlocks, printResult } from '../terminal/show-result.ts';
import { toolDetails } from '../terminal/show-tools.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { askInput } from './ask-input.ts';
import { InputEndedError, type LinePrompt } from './questions.ts';
import { addCall, EMPTY_SCORE, formatTotalReward, type Score } from './score.ts';

/** The player's table: who is asked, and where it is shown. */
export interface PlayContext {
  readonly ask: ServerConnection['request'];
  readonly questions: LinePrompt;
  readonly terminal: Terminal;
  readonly images: ImageFolder;
  /** Aborts when the player leaves by Ctrl-C. */
  readonly interrupt: AbortSignal;
}

export interface PlayResult {
  readonly score: Score;
  /** False if the player left before. */
  readonly finished: boolean;
}

const HELP = '  number or name: call a tool; ?: all about the tools; p: the prompt again; q: leave\n';
const COMMANDS = ['?', 'p', 'q'];
const QUOTES = '  a tool with the name of a command or number: its name in double quotes\n';

/** Plays until a call finishes the episode, or the player leaves. @throws what ends the session. */
export async function playInteractively(session: Session, table: PlayContext): Promise<PlayResult> {
  const { ask, terminal, images, questions } = table;
  const prompt = await ask((signal) => session.prompt({ signal }));
  const tools = await ask((signal) => session.tools({ signal }));
  const names = tools.map(({ name }) => name);
  const help = `${HELP}${names.some(isAmbiguous) ? QUOTES : ''}`;
  terminal.print('\n');
  await printBlocks(prompt, terminal, images);
  terminal.print(`\n${menu(tools, terminal)}${help}`);
  let score = EMPTY_SCORE;
  try {
    for (;;) {
      terminal.print('\n');
      const line = (await questions.ask('tool? ')).trim();
      const tool = toolAt(line, tools);
      if (tool) {
        const result = await callTool(session, tool, await askInput(tool, questions, terminal), table);
        score = addCall(score, result?.reward ?? null);
        if (result) await printResult(result, terminal, images, `total ${formatTotalReward(score)}`);
        if (result?.finished) return { score, finished: true };
      } else if (line === 'q') return { score, finished: false };
      else if (line === 'p') await printBlocks(prompt, terminal, images);
      else if (line === '?') terminal.print(toolDetails(tools, terminal, '  '));
      else terminal.print(`${line && `  '${oneLine(line)}' is no tool\n`}${menu(tools, terminal)}${help}`);
    }
  } catch (error) {
    if (!(error instanceof InputEndedError) && !table.interrupt.aborted) throw error;
    terminal.print('\n');
    return { score, finished: false };
  }
}

/** Whether a name alone would be taken for something else. */
const isAmbiguous = (name: string): boolean => COMMANDS.includes(name) || /^\d+$/.test(name);

/** The tool of a number, or of a name that is no command, or of any name in quotes. */
function toolAt(line: string, tools: readonly ToolSpec[]): ToolSpec | undefined {
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

/** The result; undefined if there is none and the episode goes on all the same, which is then said. */
async function callTool(
  session: Session,
  { name }: ToolSpec,
  input: JSONObject,
  { ask, terminal }: PlayContext,
): Promise<CallResult | undefined> {
  try {
    return await ask((signal) => session.call(name, input, { signal }));
  } catch (error) {
    if (!(error instanceof ToolCallError) && !goesOn(error)) throw error;
    const told =
      error instanceof ToolCallError ? `refused: ${oneLine(error.detail)}` : `failed: ${describeError(error)}`;
    terminal.print(`${terminal.style('yellow', told)}\n`);
    return undefined;
  }
}

const goesOn = (error: unknown): boolean =>
  error instanceof ToolCrashedError || error instanceof CallLostError || error instanceof OrsHttpError;

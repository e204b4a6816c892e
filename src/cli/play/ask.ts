import { createInterface } from 'node:readline';
import type { RemoteEnvironment, TaskSelector } from '../../client/index.ts';
import {
  Condition,
  checkValue,
  isJsonObject,
  oneLine,
  pointerPath,
  pythonStrip,
  type SchemaResolver,
  stripControls,
  truncate,
  tryParseJson,
  unknownName,
  withoutByteOrderMark,
} from '../../core/index.ts';
import type { JSONObject, JSONValue, TerminalTool, ToolSpec } from '../../protocol/index.ts';
import { CliError } from '../failure.ts';
import type { ServerConnection } from '../remote/connect.ts';
import { parseTaskFlags, type TaskFlags } from '../remote/flags.ts';
import { type Parameter, parseValue, toolInput } from '../remote/tool-input.ts';
import { describeParameter } from '../terminal/show-episode.ts';
import { safeJson, type Terminal, wrapText } from '../terminal/terminal.ts';

/** The person who plays. */
export interface Player {
  readonly prompt: LinePrompt;
  readonly terminal: Terminal;
}

/** Line before and after a text of several lines. */
const FENCE = '"""';
const EMPTY_TEXT = '""';

/** Asks for the parameters of a tool one by one, until each value is valid. */
export async function askInput({ input_schema }: ToolSpec, player: Player): Promise<JSONObject> {
  if (input_schema === null) return {};
  const { parameters, resolver } = toolInput(input_schema);
  if (parameters.length === 0) return 'properties' in input_schema ? {} : askObject(player);
  const entries: [string, JSONValue][] = [];
  for (const parameter of parameters) {
    const value = await askParameter(parameter, resolver, player);
    if (value !== undefined) entries.push([parameter.name, value]);
  }
  return Object.fromEntries(entries);
}

async function askParameter(
  parameter: Parameter,
  resolver: SchemaResolver,
  { prompt, terminal }: Player,
): Promise<JSONValue | undefined> {
  const { required, default: preset, description } = parameter;
  if (description)
    terminal.print(`${terminal.style('dim', wrapText(stripControls(description), terminal.width, '  '))}\n`);
  const choices = parameter.choices?.map(choiceText) ?? [];
  terminal.print(formatNumberedList(toItems(choices), terminal));
  for (;;) {
    const line = await askText(questionFor(parameter), prompt);
    if (line === '' && !required) return undefined;
    if (line === '' && preset !== undefined) return preset;
    const read =
      line === '' ? { problem: `${parameter.name} ${REQUIRED}` } : readAnswer(line, parameter, choices, resolver);
    if ('value' in read) return read.value;
    terminal.print(`  ${oneLine(read.problem)}\n`);
  }
}

const REQUIRED = `is required; write ${EMPTY_TEXT} for an empty text`;

function questionFor(parameter: Parameter): string {
  const { choices, required, default: preset } = parameter;
  const hint = preset === undefined && !required ? 'optional, Enter skips it' : '';
  const kind = choices
    ? preset === undefined
      ? 'one of these'
      : `default ${safeJson(preset)}`
    : describeParameter(parameter);
  return `  ${oneLine(parameter.name)} (${kind.replace(/, optional$/, '')}${hint && `, ${hint}`}): `;
}

/** Reads a line, or the lines between two fences. */
async function askText(question: string, prompt: LinePrompt): Promise<string> {
  const line = await prompt.ask(question);
  if (line.trim() !== FENCE) return line;
  const lines: string[] = [];
  for (;;) {
    const next = await prompt.ask('  … ');
    if (next.trim() === FENCE) return lines.join('\n');
    lines.push(next);
  }
}

type ParsedAnswer = { readonly value: JSONValue } | { readonly problem: string };

function readAnswer(
  line: string,
  parameter: Parameter,
  choices: readonly string[],
  resolver: SchemaResolver,
): ParsedAnswer {
  const chosen = resolveChoice(line.trim(), choices);
  const choice = chosen === undefined ? undefined : parameter.choices?.[choices.indexOf(chosen)];
  if (choice !== undefined) return { value: choice };
  try {
    const value = parseValue(line === EMPTY_TEXT ? '' : line, parameter.schema, resolver);
    const problem = problemOf(value, parameter, resolver);
    return problem === undefined ? { value } : { problem };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { problem: `${parameter.name} ${error.message}` };
  }
}

/** Maximum number of problems that are shown per value. */
const MAX_PROBLEMS = 10;

/** Describes the problems of a value; undefined if it is valid as far as the client can check. */
export function problemOf(
  value: JSONValue,
  { name, schema }: Pick<Parameter, 'name' | 'schema'>,
  resolver: SchemaResolver,
): string | undefined {
  const issues = checkValue(schema, value, { resolver }).slice(0, MAX_PROBLEMS);
  return issues.map(({ path, message }) => `${pointerPath(name, path)} ${message}`).join('; ') || undefined;
}

const choiceText = (choice: JSONValue): string => (typeof choice === 'string' ? choice : JSON.stringify(choice));

/** Asks for a JSON object, for a tool without declared parameters. */
async function askObject({ prompt, terminal }: Player): Promise<JSONObject> {
  for (;;) {
    const line = await askText('  input (JSON object, Enter: {}): ', prompt);
    const value = line.trim() === '' ? {} : tryParseJson(line);
    if (isJsonObject(value)) return value;
    terminal.print(`  not a JSON object; write it as in {"answer": "42"}\n`);
  }
}

/** Asks for the final message, until it is not empty, unless the tool that grades it has no parameter. */
export async function askAnswer({ arg }: TerminalTool, { prompt, terminal }: Player): Promise<string> {
  if (typeof arg !== 'string') return '';
  for (;;) {
    const line = await askText('  final message: ', prompt);
    if (line.trim() === EMPTY_TEXT) return '';
    if (line.trim() !== '') return pythonStrip(line);
    terminal.print(`  the message is empty; write ${EMPTY_TEXT} to submit an empty one\n`);
  }
}

/** Returns the task that the flags select; asks the player for the missing parts. @throws CliError */
export async function chooseTask(
  environment: RemoteEnvironment,
  flags: TaskFlags,
  request: ServerConnection['request'],
  player: Player,
): Promise<TaskSelector> {
  const isComplete = flags.task !== undefined || (flags.split !== undefined && flags.index !== undefined);
  const task = isComplete ? await parseTaskFlags(flags) : undefined;
  if (task) return task;
  const names = (await request((signal) => environment.splits({ signal }))).map(({ name }) => name);
  if (names.length === 0) throw new CliError(`'${environment.name}' has no splits; pass a task with --task '<json>'`);
  if (flags.split !== undefined && !names.includes(flags.split)) {
    throw new CliError(`in '${environment.name}' ${unknownName('split', flags.split, names)}`);
  }
  const split = flags.split ?? (await chooseName('split', names, player));
  return { split, index: flags.index ?? (await chooseIndex(environment, split, request, player)) };
}

async function chooseIndex(
  environment: RemoteEnvironment,
  split: string,
  request: ServerConnection['request'],
  { prompt, terminal }: Player,
): Promise<number> {
  const count = await request((signal) => environment.countTasks(split, { signal }));
  if (count === 0) throw new CliError(`split '${split}' of '${environment.name}' has no tasks; choose another one`);
  const random = Math.floor(Math.random() * count);
  if (count === 1) return 0;
  for (;;) {
    const line = (await prompt.ask(`index, 0 to ${count - 1} (Enter: ${random})? `)).trim();
    if (line === '') return random;
    if (/^\d+$/.test(line) && Number(line) < count) return Number(line);
    if (line === 'q') throw new InputEndedError();
    terminal.print(`  invalid index '${oneLine(line)}': expected a whole number from 0 to ${count - 1}; q leaves\n`);
  }
}

/** Asks for one of several names, by name or by number; Enter selects the first. A single name needs no answer. */
export async function chooseName(
  kind: string,
  names: readonly string[],
  { prompt, terminal }: Player,
): Promise<string> {
  const [first] = names;
  if (first !== undefined && names.length === 1) return first;
  terminal.print(formatNumberedList(toItems(names), terminal));
  for (;;) {
    const line = (await prompt.ask(`${kind} (Enter: ${oneLine(first ?? '')})? `)).trim();
    const found = line === '' ? first : resolveChoice(line, names);
    if (found !== undefined) return found;
    if (line === 'q') throw new InputEndedError();
    terminal.print(
      `  invalid choice '${oneLine(line)}': expected a number from 1 to ${names.length}, or a name; q leaves\n`,
    );
  }
}

/** Returns the name that a line selects, by name or by number from 1. */
const resolveChoice = (line: string, names: readonly string[]): string | undefined =>
  names.find((name) => name === line) ?? (/^[1-9]\d*$/.test(line) ? names[Number(line) - 1] : undefined);

interface ListItem {
  readonly name: string;
  readonly description?: string;
}

const toItems = (names: readonly string[]): ListItem[] => names.map((name) => ({ name }));

/** Formats a line per item: its number, its name and the beginning of its description. */
export function formatNumberedList(items: readonly ListItem[], terminal: Terminal): string {
  const column = String(items.length).length;
  const lines = items.map(({ name, description }, index) => {
    const number = `  ${String(index + 1).padStart(column)}  `;
    const shown = oneLine(name);
    const width = terminal.width - number.length - shown.length - 2;
    const about = description === undefined ? '' : `  ${truncate(oneLine(description), width)}`;
    return `${number}${terminal.style('cyan', shown)}${about}\n`;
  });
  return lines.join('');
}

/** The input has ended: the player has left. */
export class InputEndedError extends Error {
  override readonly name = 'InputEnded';
}

/** Reads lines from a person or a pipe. */
export type LinePrompt = ReturnType<typeof createLinePrompt>;

interface PromptStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly signal: AbortSignal;
  /** Handles Ctrl-C on a terminal, which is not a signal while readline edits a line. */
  readonly onInterrupt: () => void;
}

/** Creates a prompt. Lines that arrive early, as from a pipe, are queued. */
export function createLinePrompt({ input, output, signal, onInterrupt }: PromptStreams) {
  const isTerminal = input.isTTY === true && output.isTTY === true;
  const lines: string[] = [];
  let hasEnded = false;
  const changed = new Condition();
  const reader = createInterface({ input, output, terminal: isTerminal });
  let isFirst = true;
  reader.on('line', (line) => {
    // Some shells begin piped text with a byte order mark.
    lines.push(isFirst ? withoutByteOrderMark(line) : line);
    isFirst = false;
    changed.notify();
  });
  reader.on('close', () => {
    hasEnded = true;
    changed.notify();
  });
  reader.on('SIGINT', onInterrupt);

  // On a terminal, readline needs to know the prompt; from a pipe, the answer may have arrived already.
  const show = (question: string) => {
    if (!isTerminal || hasEnded) return void output.write(question);
    reader.setPrompt(question);
    reader.prompt();
  };
  const nextLine = async () => {
    await changed.until(() => lines.length > 0 || hasEnded, { signal });
    signal.throwIfAborted();
    const line = lines.shift();
    if (line === undefined) throw new InputEndedError();
    return line;
  };

  return {
    /** Returns the next line. @throws InputEndedError if there is none; the signal's reason. */
    async ask(question: string): Promise<string> {
      show(question);
      const line = await nextLine();
      // A pipe does not echo its input.
      if (!isTerminal) output.write(`${line}\n`);
      return line;
    },
    [Symbol.dispose]() {
      reader.close();
    },
  };
}

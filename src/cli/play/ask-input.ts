import { checkValue, isRecord, oneLine, pointerPath, type SchemaResolver, stripControls } from '../../core/index.ts';
import type { JSONObject, JSONValue, ToolSpec } from '../../protocol/index.ts';
import { parseValue } from '../remote/read-value.ts';
import { type Parameter, toolInput } from '../remote/tool-input.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { describeParameter } from '../terminal/show-tools.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapText } from '../terminal/wrap.ts';
import { formatNumberedList, resolveChoice } from './choose.ts';
import type { LinePrompt } from './questions.ts';

/** Stands alone on the lines before and after a text of several lines. */
const FENCE = '"""';
const EMPTY_TEXT = '""';

/** Asks for the parameters of a tool one by one, each until its value is valid. */
export async function askInput(
  { input_schema }: ToolSpec,
  questions: LinePrompt,
  terminal: Terminal,
): Promise<JSONObject> {
  if (input_schema === null) return {};
  const { parameters, resolver } = toolInput(input_schema);
  if (parameters.length === 0) return 'properties' in input_schema ? {} : askObject(questions, terminal);
  const entries: [string, JSONValue][] = [];
  for (const parameter of parameters) {
    const value = await askParameter(parameter, resolver, questions, terminal);
    if (value !== undefined) entries.push([parameter.name, value]);
  }
  return Object.fromEntries(entries);
}

async function askParameter(
  parameter: Parameter,
  resolver: SchemaResolver,
  questions: LinePrompt,
  terminal: Terminal,
): Promise<JSONValue | undefined> {
  const { required, default: preset, description } = parameter;
  if (description)
    terminal.print(`${terminal.style('dim', wrapText(stripControls(description), terminal.width, '  '))}\n`);
  const choices = parameter.choices?.map(choiceText) ?? [];
  if (choices.length > 0) terminal.print(formatNumberedList(choices, terminal));
  for (;;) {
    const line = await askText(questionFor(parameter), questions);
    if (line === '' && !required) return undefined;
    if (line === '' && preset !== undefined) return preset;
    const read =
      line === '' ? { problem: `${parameter.name} ${NEEDED}` } : readAnswer(line, parameter, choices, resolver);
    if ('value' in read) return read.value;
    terminal.print(`  ${oneLine(read.problem)}\n`);
  }
}

const NEEDED = `is needed; write ${EMPTY_TEXT} for an empty text`;

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

/** A line, or the lines between two fences. */
async function askText(question: string, questions: LinePrompt): Promise<string> {
  const line = await questions.ask(question);
  if (line.trim() !== FENCE) return line;
  const lines: string[] = [];
  for (;;) {
    const next = await questions.ask('  … ');
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

/** Problems of a value that are shown. */
const MAX_PROBLEMS = 10;

/** Describes what is wrong with the value of a parameter; undefined if nothing is, or if only the server can tell. */
export function problemOf(
  value: JSONValue,
  { name, schema }: Pick<Parameter, 'name' | 'schema'>,
  resolver: SchemaResolver,
): string | undefined {
  const issues = checkValue(schema, value, { resolver }).slice(0, MAX_PROBLEMS);
  return issues.map(({ path, message }) => `${pointerPath(name, path)} ${message}`).join('; ') || undefined;
}

const choiceText = (choice: JSONValue): string => (typeof choice === 'string' ? choice : JSON.stringify(choice));

/** For a tool that takes objects and does not say which. */
async function askObject(questions: LinePrompt, terminal: Terminal): Promise<JSONObject> {
  for (;;) {
    const line = await askText('  input (JSON object, Enter: {}): ', questions);
    if (line.trim() === '') return {};
    try {
      const value: unknown = JSON.parse(line);
      // What JSON.parse returns and is a record is a JSON object.
      if (isRecord(value)) return value as JSONObject;
    } catch {
      // Told below.
    }
    terminal.print(`  that is no JSON object; write it as in {"answer": "42"}\n`);
  }
}

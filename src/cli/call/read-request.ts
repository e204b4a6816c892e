import type { TaskSelector } from '../../client/index.ts';
import type { JSONObject, JSONValue, ToolSpec } from '../../protocol/index.ts';
import { defineFlags, type FlagValues } from '../command.ts';
import { CliError } from '../failure.ts';
import { integerParser } from '../flag-parsers.ts';
import { connectionFlags, parseTaskFlags, taskFlags } from '../remote/flags.ts';
import { parseJsonArgument, parseValue, readJsonObject, toolInput } from '../remote/tool-input.ts';

export const callFlags = defineFlags({
  '--tasks <split>': { help: 'list tasks of a split', conflicts: ['split', 'index', 'task', 'sid'] },
  '--start <number>': { help: 'first index for --tasks (default: 0)', parse: integerParser() },
  '--stop <number>': { help: 'index after the last for --tasks (default: ten tasks)', parse: integerParser() },
  ...taskFlags,
  ...connectionFlags,
  '--sid <id>': { help: 'call in this open session and leave it open', conflicts: ['split', 'index', 'task', 'keep'] },
  '--keep': 'leave the new session open, and print how to continue it',
  '--close': 'close the session of --sid at the end',
  '--input <json>': 'all parameters as JSON, @file, or - for standard input',
  '--images <folder>': 'folder for images (default: a new temporary folder)',
  '--json': 'print one JSON document; errors too, on standard error',
});

export type CallFlags = FlagValues<typeof callFlags>;

/** A new session for a task, or an open one. */
type SessionChoice =
  | { readonly kind: 'new'; readonly task: TaskSelector; readonly secrets: Readonly<Record<string, string>> }
  | { readonly kind: 'live'; readonly sid: string };

export interface SessionCallRequest {
  readonly session: SessionChoice;
  /** Leave the session open at the end. */
  readonly leaveOpen: boolean;
  /** Undefined to show the prompt and the tools instead of calling a tool. */
  readonly tool: string | undefined;
  readonly input: JSONObject | readonly InputArgument[];
}

/**
 * Returns what to do in a session, or undefined if no session is needed.
 *
 * @throws CliError for flags that conflict or cannot be read.
 */
export async function parseCallFlags(
  name: string | undefined,
  tool: string | undefined,
  args: readonly string[],
  flags: CallFlags,
): Promise<SessionCallRequest | undefined> {
  assertConsistent(name, tool, args, flags);
  const { sid, secret, keep = false, close = false } = flags;
  const task = await parseTaskFlags(flags);
  const input = flags.input === undefined ? parsePairs(args) : await readJsonObject(flags.input, '--input');
  if (sid !== undefined) return { session: { kind: 'live', sid }, leaveOpen: !close, tool, input };
  if (task) return { session: { kind: 'new', task, secrets: secret ?? {} }, leaveOpen: keep, tool, input };
  if (tool === undefined) return undefined;
  throw new CliError(`tool '${tool}' needs an episode; add --split <name> --index <number>, --task or --sid`);
}

function assertConsistent(
  name: string | undefined,
  tool: string | undefined,
  args: readonly string[],
  flags: CallFlags,
): void {
  const { tasks, start, stop, sid, split, index, task, secret, keep, close, input } = flags;
  const opens = split !== undefined || index !== undefined || task !== undefined;
  const rules: readonly (readonly [boolean, string])[] = [
    [name === undefined && (opens || sid !== undefined), 'an episode needs an environment; add it after the URL'],
    [name === undefined && tasks !== undefined, '--tasks needs an environment; add it after the URL'],
    [tool !== undefined && tasks !== undefined, `--tasks lists tasks and calls no tool; remove '${tool}'`],
    [tasks === undefined && (start ?? stop) !== undefined, '--start and --stop need --tasks <split>'],
    [start !== undefined && stop !== undefined && stop <= start, `--stop ${stop} must be above --start ${start}`],
    [input !== undefined && tool === undefined, '--input needs a tool; add it after the environment'],
    [input !== undefined && args.length > 0, `pass the parameters with --input or as '${args[0]}', not both`],
    [keep === true && !opens, '--keep needs a new session; add --split <name> --index <number>, or --task'],
    [sid !== undefined && secret !== undefined, '--secret is for a new session, not for that of --sid'],
    [close === true && sid === undefined, '--close needs --sid <id>'],
  ];
  const broken = rules.find(([isBroken]) => isBroken);
  if (broken) throw new CliError(broken[1]);
}

/** `key=value`, or `key:=json`. */
export interface InputArgument {
  readonly key: string;
  readonly text: string;
  /** True for `key:=json`: JSON regardless of the tool's schema. */
  readonly isJson: boolean;
}

/** Parses `key=value` and `key:=json`. @throws CliError */
export function parsePairs(args: readonly string[]): InputArgument[] {
  const pairs = args.map(parsePair);
  const keys = new Set<string>();
  for (const { key } of pairs) {
    if (keys.has(key)) throw new CliError(`duplicate parameter '${key}'`);
    keys.add(key);
  }
  return pairs;
}

function parsePair(argument: string): InputArgument {
  const at = argument.indexOf('=');
  const isJson = argument[at - 1] === ':';
  const key = argument.slice(0, Math.max(0, isJson ? at - 1 : at));
  if (at < 0) throw new CliError(`invalid parameter '${argument}': expected key=value or key:=json`);
  if (key === '') throw new CliError(`invalid parameter '${argument}': expected a name before '='`);
  return { key, text: argument.slice(at + 1), isJson };
}

/** Returns the input of a call, with each value converted to the type in the tool's schema. @throws CliError */
export function toToolInput(pairs: readonly InputArgument[], { name, input_schema }: ToolSpec): JSONObject {
  const { parameters, others, resolver } = toolInput(input_schema);
  const schemaOf = (key: string): unknown => {
    const parameter = parameters.find((each) => each.name === key);
    return parameter ? parameter.schema : others;
  };
  const value = ({ key, text, isJson }: InputArgument): JSONValue => {
    if (isJson) return parseJsonArgument(text, `${key}:=`);
    try {
      return parseValue(text, schemaOf(key), resolver);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const advice = `to send other JSON, write ${key}:=<json>`;
      throw new CliError(`${key} of tool '${name}' ${error.message}; ${advice}`, { cause: error });
    }
  };
  return Object.fromEntries(pairs.map((pair) => [pair.key, value(pair)]));
}

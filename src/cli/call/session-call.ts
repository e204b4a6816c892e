import {
  type CallResult,
  type RemoteEnvironment,
  type Session,
  type TaskSelector,
  ToolCallError,
} from '../../client/index.ts';
import { shellCommand } from '../../core/index.ts';
import type { Block, JSONObject, JSONValue, RunToolOutput, ToolSpec } from '../../protocol/index.ts';
import { defineFlags, type FlagValues, integerParser } from '../command.ts';
import { CliError, unknownName } from '../failure.ts';
import { openSessionWithHints, type ServerConnection } from '../remote/connect.ts';
import { connectionFlags, parseTaskFlags, taskFlags } from '../remote/flags.ts';
import { parseJsonArgument, parseValue, readJsonObject, toolInput } from '../remote/tool-input.ts';
import { type ImageFolder, printBlocks, printResult, toolDetails } from '../terminal/show-episode.ts';
import type { Terminal } from '../terminal/terminal.ts';

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
  const duplicate = pairs.find(({ key }, at) => pairs.findIndex((pair) => pair.key === key) < at);
  if (duplicate) throw new CliError(`duplicate parameter '${duplicate.key}'`);
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
  const schemas = new Map(parameters.map((parameter) => [parameter.name, parameter.schema]));
  const value = ({ key, text, isJson }: InputArgument): JSONValue => {
    if (isJson) return parseJsonArgument(text, `${key}:=`);
    try {
      return parseValue(text, schemas.has(key) ? schemas.get(key) : others, resolver);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const advice = `to send other JSON, write ${key}:=<json>`;
      throw new CliError(`${key} of tool '${name}' ${error.message}; ${advice}`, { cause: error });
    }
  };
  return Object.fromEntries(pairs.map((pair) => [pair.key, value(pair)]));
}

/** Receives the parts of a session as they arrive. */
type SessionListener = ReturnType<typeof createSessionPrinter>;

/** Result of a session; fields from the wire keep their names. */
type SessionReport = Awaited<ReturnType<typeof callInSession>>;

/**
 * Opens or attaches to a session, shows it, calls a tool in it, and closes it.
 *
 * A new session is always closed, unless it should stay open and the call succeeded. An open session is closed only on
 * request.
 *
 * @throws CliError, and all errors of the client except ToolCallError, which is a result.
 */
export async function callInSession(
  environment: RemoteEnvironment,
  request: SessionCallRequest,
  { client, request: send }: ServerConnection,
  listener?: SessionListener,
) {
  const { session: choice, leaveOpen, tool } = request;
  const session =
    choice.kind === 'live'
      ? client.attach({ environment: environment.name, sid: choice.sid })
      : await openSessionWithHints(environment, choice.task, choice.secrets, send);
  let detaches = choice.kind === 'live' && leaveOpen;
  try {
    const showsEpisode = choice.kind === 'new' || (tool === undefined && leaveOpen);
    const tools = showsEpisode || tool !== undefined ? await send((signal) => session.tools({ signal })) : [];
    const call = tool === undefined ? undefined : prepareCall(session, tool, request.input, tools);
    const prompt = showsEpisode ? await send((signal) => session.prompt({ signal })) : null;
    if (prompt) await listener?.onOpened(prompt, tools);
    const result = call ? await resultOf(send(call), listener) : null;
    detaches = leaveOpen;
    if (!leaveOpen) await session.close();
    return {
      environment: environment.name,
      sid: session.sid,
      /** True if the session stays open. */
      open: leaveOpen,
      /** Null if they were not requested, like `tools`. */
      prompt,
      tools: showsEpisode ? tools : null,
      result,
    };
  } finally {
    if (detaches) session.detach();
    else await session[Symbol.asyncDispose]();
  }
}

/** Converts the input by the schema of the tool. @throws CliError for an unknown tool or an invalid value. */
function prepareCall(session: Session, tool: string, input: SessionCallRequest['input'], tools: readonly ToolSpec[]) {
  const spec = tools.find(({ name }) => name === tool);
  if (!spec) {
    const names = tools.map(({ name }) => name);
    throw new CliError(`in this episode of '${session.environment}' ${unknownName('tool', tool, names)}`);
  }
  const converted = isPairs(input) ? toToolInput(input, spec) : input;
  return (signal: AbortSignal) => session.call(tool, converted, { signal });
}

async function resultOf(call: Promise<CallResult>, listener?: SessionListener): Promise<RunToolOutput> {
  try {
    const result = await call;
    await listener?.onCalled(result);
    const { blocks, metadata, reward, finished } = result;
    return { ok: true, output: { blocks: [...blocks], metadata, reward, finished } };
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    return { ok: false, error: error.detail };
  }
}

const isPairs = (input: SessionCallRequest['input']): input is readonly InputArgument[] => Array.isArray(input);

/** Prints a session as it proceeds: the prompt, the tools if none is called, the result. */
export const createSessionPrinter = (terminal: Terminal, images: ImageFolder, tool: string | undefined) => ({
  async onOpened(prompt: readonly Block[], tools: readonly ToolSpec[]): Promise<void> {
    await printBlocks(prompt, terminal, images);
    terminal.print('\n');
    if (tool === undefined) terminal.print(toolDetails(tools, terminal, '  ') || '  This episode has no tools.\n');
  },
  onCalled: (result: CallResult) => printResult(result, terminal, images),
});

/** Formats the commands that continue and close an open session. */
export function continueHint(url: string, { environment, sid, tools, result }: SessionReport): string {
  const still = result === null ? '' : ' still';
  const [first] = tools ?? [];
  const needed = toolInput(first?.input_schema ?? null).parameters.filter(({ required }) => required);
  const pairs = needed.map(({ name }) => `${name}=...`);
  const call = shellCommand('ors', 'call', url, environment, first?.name ?? 'TOOL', ...pairs, '--sid', sid);
  const close = shellCommand('ors', 'call', url, environment, '--sid', sid, '--close');
  return `\nThe session is open${still}. To call a tool in it, and to close it:\n  ${call}\n  ${close}\n`;
}

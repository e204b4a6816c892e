import { text } from 'node:stream/consumers';
import {
  type CallResult,
  type RemoteEnvironment,
  type Session,
  type TaskSelector,
  ToolCallError,
} from '../../client/index.ts';
import { definedFields, misspelledName, pythonStrip, unknownName } from '../../core/index.ts';
import {
  flattenMessages,
  type JSONObject,
  type JSONValue,
  type Message,
  type RunToolOutput,
  type TerminalTool,
  type ToolSpec,
  terminalToolSpec,
} from '../../protocol/index.ts';
import { defineFlags, type FlagValues, integerParser } from '../command.ts';
import { CliError } from '../failure.ts';
import { openSessionWithHints, type ServerConnection } from '../remote/connect.ts';
import { connectionFlags, parseTaskFlags, taskFlags } from '../remote/flags.ts';
import { parseJsonArgument, parseValue, readJsonObject, toolInput } from '../remote/tool-input.ts';
import {
  type ImageFolder,
  printMessages,
  printResult,
  terminalToolDetails,
  toolDetails,
} from '../terminal/show-episode.ts';
import { orsCommand, type Terminal } from '../terminal/terminal.ts';

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
  '--answer <text>': "submit this text as the agent's final message, instead of calling a tool; - for standard input",
  '--images <folder>': 'folder for images (default: a new temporary folder)',
  '--json': 'print one JSON document; errors too, on standard error',
});

export type CallFlags = FlagValues<typeof callFlags>;

/** A new session for a task, or an open one. */
type SessionChoice =
  | {
      readonly kind: 'new';
      readonly task: TaskSelector;
      readonly secrets: Readonly<Record<string, string>>;
      readonly toolset?: string;
    }
  | { readonly kind: 'live'; readonly sid: string };

export interface SessionCallRequest {
  readonly session: SessionChoice;
  /** Leave the session open at the end. */
  readonly leaveOpen: boolean;
  /** Undefined to call no tool: to submit an answer, or to show the prompt and the tools. */
  readonly tool: string | undefined;
  /** Final message to submit. */
  readonly answer?: string;
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
  const { sid, secret, toolset, keep = false, close = false } = flags;
  const task = await parseTaskFlags(flags);
  const input = flags.input === undefined ? parsePairs(args) : await readJsonObject(flags.input, '--input');
  const answer = flags.answer === '-' ? await text(process.stdin) : flags.answer;
  // As in a rollout, where the white space around a final message does not count.
  const action = { tool, input, ...(answer !== undefined && { answer: pythonStrip(answer) }) };
  if (sid !== undefined) return { session: { kind: 'live', sid }, leaveOpen: !close, ...action };
  if (task) {
    const session = { kind: 'new', task, secrets: secret ?? {}, ...definedFields({ toolset }) } as const;
    return { session, leaveOpen: keep, ...action };
  }
  if (tool === undefined && answer === undefined) return undefined;
  const what = tool === undefined ? '--answer' : `tool '${tool}'`;
  throw new CliError(`${what} needs an episode; add --split <name> --index <number>, --task or --sid`);
}

function assertConsistent(
  name: string | undefined,
  tool: string | undefined,
  args: readonly string[],
  flags: CallFlags,
): void {
  const { tasks, start, stop, sid, split, index, task, secret, toolset, keep, close, input, answer } = flags;
  const opens = split !== undefined || index !== undefined || task !== undefined;
  const rules: readonly (readonly [boolean, string])[] = [
    [name === undefined && (opens || sid !== undefined), 'an episode needs an environment; add it after the URL'],
    [name === undefined && tasks !== undefined, '--tasks needs an environment; add it after the URL'],
    [tool !== undefined && tasks !== undefined, `--tasks lists tasks and calls no tool; remove '${tool}'`],
    [tasks === undefined && (start ?? stop) !== undefined, '--start and --stop need --tasks <split>'],
    [start !== undefined && stop !== undefined && stop <= start, `--stop ${stop} must be above --start ${start}`],
    [tool !== undefined && answer !== undefined, `--answer calls no tool of your choice; remove '${tool}'`],
    [tasks !== undefined && answer !== undefined, '--tasks lists tasks and submits no answer; remove --answer'],
    [input !== undefined && tool === undefined, '--input needs a tool; add it after the environment'],
    [input !== undefined && args.length > 0, `pass the parameters with --input or as '${args[0]}', not both`],
    [keep === true && !opens, '--keep needs a new session; add --split <name> --index <number>, or --task'],
    [sid !== undefined && secret !== undefined, '--secret is for a new session, not for that of --sid'],
    [sid !== undefined && toolset !== undefined, '--toolset is for a new session, not for that of --sid'],
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
  for (const { key } of pairs)
    if (!schemas.has(key)) assertMayBeUnknown(key, pairs, { tool: name, parameters, others });
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

/** @throws CliError for a parameter that the schema does not allow, or that is misspelled. */
function assertMayBeUnknown(
  key: string,
  pairs: readonly InputArgument[],
  { tool, parameters, others }: Pick<ReturnType<typeof toolInput>, 'parameters' | 'others'> & { readonly tool: string },
): void {
  const names = parameters.map(({ name }) => name);
  if (others === false) throw new CliError(`tool '${tool}': ${unknownName('parameter', key, names)}`);
  const missing = names.filter((name) => !pairs.some((pair) => pair.key === name));
  const meant = others === undefined ? misspelledName(key, missing) : undefined;
  if (meant === undefined) return;
  const advice = `to send it anyway, pass all parameters with --input '<json>'`;
  throw new CliError(`tool '${tool}' has no parameter '${key}'. Did you mean '${meant}'? Otherwise, ${advice}`);
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
  const { session: choice, leaveOpen, tool, answer } = request;
  const session =
    choice.kind === 'live'
      ? client.attach({ environment: environment.name, sid: choice.sid })
      : await openSessionWithHints(environment, choice.task, openOptions(choice), send);
  let detaches = choice.kind === 'live' && leaveOpen;
  try {
    const isIdle = tool === undefined && answer === undefined;
    const showsEpisode = choice.kind === 'new' || (isIdle && leaveOpen);
    const episode = showsEpisode || !isIdle ? await send((signal) => readTools(session, signal)) : NO_TOOLS;
    const call = prepareCall(session, request, episode);
    const messages = showsEpisode ? await send((signal) => session.messages({ signal })) : null;
    if (messages) await listener?.onOpened(messages, episode);
    const result = call ? await resultOf(send(call), listener) : null;
    detaches = leaveOpen;
    if (!leaveOpen) await session.close();
    return {
      environment: environment.name,
      sid: session.sid,
      /** True if the session stays open. */
      open: leaveOpen,
      /** Null if they were not requested, like the next three. */
      prompt: messages && flattenMessages(messages),
      messages,
      tools: showsEpisode ? episode.tools : null,
      terminal_tool: showsEpisode ? episode.terminal : null,
      result,
    };
  } finally {
    if (detaches) session.detach();
    else await session[Symbol.asyncDispose]();
  }
}

/** Tools of an episode, and the one that grades the final message. */
interface EpisodeTools {
  readonly tools: readonly ToolSpec[];
  readonly terminal: TerminalTool | null;
}

const NO_TOOLS: EpisodeTools = { tools: [], terminal: null };

async function readTools(session: Session, signal: AbortSignal): Promise<EpisodeTools> {
  return { tools: await session.tools({ signal }), terminal: await session.terminalTool({ signal }) };
}

const openOptions = ({ secrets, toolset }: Extract<SessionChoice, { kind: 'new' }>) => ({
  secrets,
  ...definedFields({ toolset }),
});

/**
 * Returns the function that calls the tool or submits the answer; undefined if there is nothing to do. Converts the input
 * by the schema of the tool.
 *
 * @throws CliError for an unknown tool, an invalid value, or an answer that no tool grades.
 */
function prepareCall(session: Session, { tool, input, answer }: SessionCallRequest, { tools, terminal }: EpisodeTools) {
  // The terminal tool is not listed, but can be called.
  const specs = terminal ? [...tools, terminalToolSpec(terminal)] : tools;
  if (answer !== undefined) {
    if (terminal) return (signal: AbortSignal) => session.answer(answer, { signal });
    throw new CliError(`no tool of '${session.environment}' grades a final message; call a tool instead of --answer`);
  }
  if (tool === undefined) return undefined;
  const spec = specs.find(({ name }) => name === tool);
  if (!spec) {
    const names = specs.map(({ name }) => name);
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
    return { ok: false, error: error.detail, ...(error.reason !== null && { reason: error.reason }) };
  }
}

const isPairs = (input: SessionCallRequest['input']): input is readonly InputArgument[] => Array.isArray(input);

/** Prints a session as it proceeds: the prompt, the tools if none is called, the result. */
export const createSessionPrinter = (terminal: Terminal, images: ImageFolder, request: SessionCallRequest) => ({
  async onOpened(messages: readonly Message[], { tools, terminal: graded }: EpisodeTools): Promise<void> {
    await printMessages(messages, terminal, images);
    terminal.print('\n');
    if (request.tool !== undefined || request.answer !== undefined) return;
    terminal.print(toolDetails(tools, terminal, '  ') || '  This episode has no tools.\n');
    if (graded) terminal.print(`\n${terminalToolDetails(graded, terminal, '  ')}`);
  },
  onCalled: (result: CallResult) => printResult(result, terminal, images),
});

/** Formats the commands that continue and close an open session. */
export function continueHint(url: string, { environment, sid, tools, terminal_tool, result }: SessionReport): string {
  const still = result === null ? '' : ' still';
  const [first] = tools ?? [];
  const needed = toolInput(first?.input_schema ?? null).parameters.filter(({ required }) => required);
  const pairs = needed.map(({ name }) => `${name}=...`);
  const command = (...rest: string[]) => `  ${orsCommand('call', url, environment, ...rest)}\n`;
  const call = terminal_tool && !first ? '' : command(first?.name ?? 'TOOL', ...pairs, '--sid', sid);
  const answer = terminal_tool ? command('--answer', '...', '--sid', sid) : '';
  const close = command('--sid', sid, '--close');
  const what = [call && 'call a tool in it', answer && 'submit an answer', 'close it'].filter((part) => part !== '');
  const purposes = `${what.slice(0, -1).join(', to ')}, and to ${what.at(-1)}`;
  return `\nThe session is open${still}. To ${purposes}:\n${call}${answer}${close}`;
}

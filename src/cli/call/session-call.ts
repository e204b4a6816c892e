import { type CallResult, type RemoteEnvironment, type Session, ToolCallError } from '../../client/index.ts';
import { oneLine, shellCommand } from '../../core/index.ts';
import type { Block, RunToolOutput, ToolSpec } from '../../protocol/index.ts';
import { CliError, unknownName } from '../failure.ts';
import { openSessionWithHints, type ServerConnection } from '../remote/connect.ts';
import { parametersOf } from '../remote/tool-input.ts';
import { type ImageFolder, printBlocks, printResult } from '../terminal/show-result.ts';
import { toolDetails } from '../terminal/show-tools.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type InputArgument, type SessionCallRequest, toToolInput } from './read-request.ts';

/** Receives the parts of a session as they arrive. */
interface SessionListener {
  onOpened(prompt: readonly Block[], tools: readonly ToolSpec[]): Promise<void>;
  onCalled(result: CallResult): Promise<void>;
}

/** Result of a session; fields from the wire keep their names. */
interface SessionReport {
  readonly environment: string;
  readonly sid: string;
  /** True if the session stays open. */
  readonly open: boolean;
  /** Null if they were not requested, like `tools`. */
  readonly prompt: readonly Block[] | null;
  readonly tools: readonly ToolSpec[] | null;
  readonly result: RunToolOutput | null;
}

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
  listener: SessionListener,
): Promise<SessionReport> {
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
    if (prompt) await listener.onOpened(prompt, tools);
    const result = call ? await resultOf(send(call), listener) : null;
    detaches = leaveOpen;
    if (!leaveOpen) await session.close();
    const { sid } = session;
    return { environment: environment.name, sid, open: leaveOpen, prompt, tools: showsEpisode ? tools : null, result };
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

async function resultOf(call: Promise<CallResult>, listener: SessionListener): Promise<RunToolOutput> {
  try {
    const result = await call;
    await listener.onCalled(result);
    const { blocks, metadata, reward, finished } = result;
    return { ok: true, output: { blocks: [...blocks], metadata, reward, finished } };
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    return { ok: false, error: error.detail };
  }
}

const isPairs = (input: SessionCallRequest['input']): input is readonly InputArgument[] => Array.isArray(input);

/** Prints a session as it proceeds: the prompt, the tools if none is called, the result. */
export function createSessionPrinter(
  terminal: Terminal,
  images: ImageFolder,
  tool: string | undefined,
): SessionListener {
  return {
    async onOpened(prompt, tools) {
      await printBlocks(prompt, terminal, images);
      terminal.print('\n');
      if (tool === undefined) terminal.print(toolDetails(tools, terminal, '  ') || '  This episode has no tools.\n');
    },
    onCalled: (result) => printResult(result, terminal, images),
  };
}

/** Prints nothing. */
export const silentListener: SessionListener = {
  onOpened: async () => undefined,
  onCalled: async () => undefined,
};

export const closedMessage = ({ sid }: SessionReport): string => `session ${oneLine(sid)} is closed\n`;

/** Formats the commands that continue and close an open session. */
export function continueHint(url: string, { environment, sid, tools, result }: SessionReport): string {
  const still = result === null ? '' : ' still';
  const [first] = tools ?? [];
  const needed = parametersOf(first?.input_schema ?? null).filter(({ required }) => required);
  const pairs = needed.map(({ name }) => `${name}=...`);
  const call = shellCommand('ors', 'call', url, environment, first?.name ?? 'TOOL', ...pairs, '--sid', sid);
  const close = shellCommand('ors', 'call', url, environment, '--sid', sid, '--close');
  return `\nThe session is open${still}. To call a tool in it, and to close it:\n  ${call}\n  ${close}\n`;
}

import {
  type CallResult,
  type RemoteEnvironment,
  type Session,
  type TaskSelector,
  ToolCallError,
} from '../../client/index.ts';
import type { Block, JSONObject, RunToolOutput, ToolSpec } from '../../protocol/index.ts';
import { CliError } from '../failure.ts';
import type { ServerConnection } from '../remote/connect.ts';
import { unknownName } from '../remote/names.ts';
import { openSessionWithHints } from '../remote/open-session.ts';
import { type InputArgument, toToolInput } from './parse-input.ts';

/** Which session: a new one of a task, or one that lives. */
export type SessionChoice =
  | { readonly kind: 'new'; readonly task: TaskSelector; readonly secrets: Readonly<Record<string, string>> }
  | { readonly kind: 'live'; readonly sid: string };

export interface SessionCallRequest {
  readonly session: SessionChoice;
  /** Whether the session lives on. */
  readonly leaveOpen: boolean;
  /** undefined: the prompt and the tools are asked for, and nothing is called. */
  readonly tool: string | undefined;
  readonly input: JSONObject | readonly InputArgument[];
}

/** What is told as soon as it is known. */
export interface SessionListener {
  onOpened(prompt: readonly Block[], tools: readonly ToolSpec[]): Promise<void>;
  onCalled(result: CallResult): Promise<void>;
}

/** What came of it; fields of the wire keep their names. */
export interface SessionReport {
  readonly environment: string;
  readonly sid: string;
  /** Whether the session is open still. */
  readonly open: boolean;
  /** Null where they were not asked for. */
  readonly prompt: readonly Block[] | null;
  readonly tools: readonly ToolSpec[] | null;
  readonly result: RunToolOutput | null;
}

/**
 * Opens or takes up a session, shows it, calls a tool in it, and closes it.
 *
 * A new session is closed whatever happens, unless it is to be left open and the call was answered. A live session is
 * only closed where that is asked for.
 *
 * @throws Failure, and all errors of the client but ToolCallError, which is a result.
 */
export async function callInSession(
  environment: RemoteEnvironment,
  request: SessionCallRequest,
  { client, request: ask }: ServerConnection,
  listener: SessionListener,
): Promise<SessionReport> {
  const { session: choice, leaveOpen, tool } = request;
  const session =
    choice.kind === 'live'
      ? client.attach({ environment: environment.name, sid: choice.sid })
      : await openSessionWithHints(environment, choice.task, choice.secrets, ask);
  let isToStay = choice.kind === 'live' && leaveOpen;
  try {
    const isShown = choice.kind === 'new' || (tool === undefined && leaveOpen);
    const tools = isShown || tool !== undefined ? await ask((signal) => session.tools({ signal })) : [];
    const call = tool === undefined ? undefined : preparedCall(session, tool, request.input, tools);
    const prompt = isShown ? await ask((signal) => session.prompt({ signal })) : null;
    if (prompt) await listener.onOpened(prompt, tools);
    const result = call ? await resultOf(ask(call), listener) : null;
    isToStay = leaveOpen;
    if (!leaveOpen) await session.close();
    const { sid } = session;
    return { environment: environment.name, sid, open: leaveOpen, prompt, tools: isShown ? tools : null, result };
  } finally {
    if (isToStay) session.detach();
    else await session[Symbol.asyncDispose]();
  }
}

/** What calls the tool, after the input is read by its schema. @throws Failure if there is no such tool or value. */
function preparedCall(session: Session, tool: string, input: SessionCallRequest['input'], tools: readonly ToolSpec[]) {
  const spec = tools.find(({ name }) => name === tool);
  if (!spec) {
    const names = tools.map(({ name }) => name);
    throw new CliError(`in this episode of '${session.environment}' ${unknownName('tool', tool, names)}`);
  }
  const given = isPairs(input) ? toToolInput(input, spec) : input;
  return (signal: AbortSignal) => session.call(tool, given, { signal });
}

async function resultOf(called: Promise<CallResult>, listener: SessionListener): Promise<RunToolOutput> {
  try {
    const result = await called;
    await listener.onCalled(result);
    const { blocks, metadata, reward, finished } = result;
    return { ok: true, output: { blocks: [...blocks], metadata, reward, finished } };
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
    return { ok: false, error: error.detail };
  }
}

const isPairs = (input: SessionCallRequest['input']): input is readonly InputArgument[] => Array.isArray(input);

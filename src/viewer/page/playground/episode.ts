import { type Backoff, backoffMs, silenceSignal, sleep } from '../../../core/index.ts';
import {
  type JSONObject,
  type Message,
  MISSING_STATUSES,
  promptMessages,
  type TerminalTool,
  type ToolSpec,
} from '../../../protocol/index.ts';
import { asRequestError, RequestError, toRequestError } from '../api/request-error.ts';
import { keyHeaders, SERVER_URL, unwrapResponse } from '../api/store.ts';
import { ors } from '../environments/server.ts';
import { type PlaygroundCallOutcome, readCallOutcome } from './call-outcome.ts';
import type { PlaygroundTask } from './task.ts';

/** Run of the traces that are recorded here. */
export const RUN = 'playground';

/** Prompt and tools of an episode. */
export interface OpenedEpisode {
  /** The prompt as a conversation; one message of the user if it is plain. */
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** Tool that grades the final message; null if there is none. */
  readonly terminalTool: TerminalTool | null;
}

const header = (sid: string) => ({ 'X-Session-ID': sid });

interface CreatedEpisode {
  readonly sid: string;
  /** Id of the recorded trace, if the server records. */
  readonly traceId: string | undefined;
}

/** Creates an episode; its setup continues afterwards. */
export async function createPlaygroundEpisode({ environment, split, index }: PlaygroundTask): Promise<CreatedEpisode> {
  const { sid } = await unwrapResponse(ors.createSession({}));
  const response = await ors
    .createEpisode({
      params: { header: { ...header(sid), 'X-Trace-Run': RUN } },
      body: { env_name: environment, split, index },
    })
    .catch((error: unknown) => {
      // The server may have created the episode even so.
      deletePlaygroundEpisode(sid);
      throw asRequestError(error);
    });
  await unwrapResponse(Promise.resolve(response));
  return { sid, traceId: response.response.headers.get('X-Trace-ID') ?? undefined };
}

/** Waits for the setup, then returns the prompt and the tools. */
export async function readEpisode(sid: string, environment: string, signal: AbortSignal): Promise<OpenedEpisode> {
  const params = { path: { env_name: environment }, header: header(sid) };
  const [messages, { tools, terminal_tool = null }] = await Promise.all([
    unwrapResponse(ors.getMessages({ params, signal })).catch(async (error: unknown) => {
      if (!(error instanceof RequestError) || !MISSING_STATUSES.includes(error.status)) throw error;
      // A server without conversations.
      return promptMessages(await unwrapResponse(ors.getPrompt({ params, signal })));
    }),
    unwrapResponse(ors.listTaskTools({ params, signal })),
  ]);
  return { messages: messages as readonly Message[], tools, terminalTool: terminal_tool };
}

/**
 * Keeps the session alive.
 *
 * @throws RequestError with status 404 or 410 if the session has ended.
 */
export const ping = async (sid: string, signal: AbortSignal): Promise<void> =>
  void (await unwrapResponse(ors.ping({ params: { header: header(sid) }, signal })));

/** Ends an episode, even while the page is closing. Does not wait: the server ends idle episodes anyway. */
export function deletePlaygroundEpisode(sid: string): void {
  const headers = { ...header(sid), ...keyHeaders() };
  void fetch(`${SERVER_URL}/delete`, { method: 'POST', headers, keepalive: true }).catch(() => undefined);
}

export const isSessionGone = (error: unknown): boolean =>
  error instanceof RequestError && (error.status === 404 || error.status === 410);

interface PlaygroundCallRequest {
  readonly sid: string;
  readonly environment: string;
  readonly tool: string;
  readonly input: JSONObject;
  /** Id of the call, so that a retry cannot run it twice. */
  readonly taskId: string;
}

/** Delays before retrying a call whose connection broke. */
const CALL_BACKOFF: Backoff = { firstMs: 500, longestMs: 10_000 };
const MAX_RETRIES = 6;

/** Silence after which the stream is requested again, because its connection may be dead. The call continues. */
const SILENCE_MS = 30_000;

/**
 * Calls a tool and returns its result.
 *
 * @throws RequestError if the server returned no result.
 */
export async function callPlaygroundTool(
  request: PlaygroundCallRequest,
  signal: AbortSignal,
): Promise<PlaygroundCallOutcome> {
  for (let failures = 0; ; ) {
    try {
      const outcome = await attempt(request, signal);
      if (outcome) return outcome;
    } catch (error) {
      signal.throwIfAborted();
      const failure = asRequestError(error);
      const isPassing = failure.kind === 'offline' || UNAVAILABLE_STATUSES.includes(failure.status);
      if (!isPassing || failures === MAX_RETRIES) throw failure;
      await sleep(backoffMs(failures++, CALL_BACKOFF), signal);
    }
  }
}

/** Statuses of proxies whose server is unavailable. */
const UNAVAILABLE_STATUSES = [502, 503, 504];

/** Makes one attempt. Returns undefined if the stream was silent. */
async function attempt(
  request: PlaygroundCallRequest,
  signal: AbortSignal,
): Promise<PlaygroundCallOutcome | undefined> {
  const { sid, environment, tool, input, taskId } = request;
  const silent = new Error('the stream is silent');
  const silence = silenceSignal(SILENCE_MS, () => silent, signal);
  try {
    const { events, error, response } = await ors.callTool({
      params: { path: { env_name: environment }, header: header(sid) },
      body: { name: tool, input, task_id: taskId },
      signal: silence.signal,
    });
    if (!events) throw toRequestError(response.status, error);
    const outcome = await readCallOutcome(events, silence.heard);
    if (!outcome) throw new RequestError('offline', 0, 'the connection broke before the result arrived');
    return outcome;
  } catch (error) {
    if (silence.signal.reason === silent && !signal.aborted) return undefined;
    throw error;
  } finally {
    silence.release();
  }
}

import { type Backoff, backoffMs, joinSignals, sleep, startWatchdog } from '../../../core/index.ts';
import type { Block, JSONObject, ToolSpec } from '../../../protocol/index.ts';
import { asRequestError, RequestError, toRequestError } from '../api/failure.ts';
import { keyHeaders, SERVER_URL, unwrapResponse } from '../api/store.ts';
import { ors } from '../environments/server.ts';
import { type PlaygroundCallOutcome, readCallOutcome } from './outcome.ts';

/** The run that the traces of what is played here belong to. */
export const RUN = 'playground';

/** The task that is played. */
export interface PlaygroundTask {
  readonly environment: string;
  readonly split: string;
  readonly index: number;
}

/** An episode as it begins. */
export interface OpenedEpisode {
  readonly prompt: readonly Block[];
  readonly tools: readonly ToolSpec[];
}

const header = (sid: string) => ({ 'X-Session-ID': sid });

export interface CreatedEpisode {
  readonly sid: string;
  /** Of the trace that it is recorded as, where the server records. */
  readonly traceId: string | undefined;
}

/** Creates an episode; its setup goes on after this. */
export async function createPlaygroundEpisode({ environment, split, index }: PlaygroundTask): Promise<CreatedEpisode> {
  const { sid } = await unwrapResponse(ors.createSession({}));
  const response = await ors
    .createEpisode({
      params: { header: { ...header(sid), 'X-Trace-Run': RUN } },
      body: { env_name: environment, split, index },
    })
    .catch((error: unknown) => {
      // It may be there all the same.
      deletePlaygroundEpisode(sid);
      throw asRequestError(error);
    });
  await unwrapResponse(Promise.resolve(response));
  return { sid, traceId: response.response.headers.get('X-Trace-ID') ?? undefined };
}

/** Waits for the setup, then reads what the player is shown. */
export async function readEpisode(sid: string, environment: string, signal: AbortSignal): Promise<OpenedEpisode> {
  const params = { path: { env_name: environment }, header: header(sid) };
  const [prompt, { tools }] = await Promise.all([
    unwrapResponse(ors.getPrompt({ params, signal })),
    unwrapResponse(ors.listTaskTools({ params, signal })),
  ]);
  return { prompt, tools };
}

/** Says that the session is still wanted. @throws Failure; it is over where that has the status 404 or 410. */
export const ping = async (sid: string, signal: AbortSignal): Promise<void> =>
  void (await unwrapResponse(ors.ping({ params: { header: header(sid) }, signal })));

/** Ends an episode, even while the page goes away. Nobody waits for it: the server ends idle episodes by itself. */
export function deletePlaygroundEpisode(sid: string): void {
  const headers = { ...header(sid), ...keyHeaders() };
  void fetch(`${SERVER_URL}/delete`, { method: 'POST', headers, keepalive: true }).catch(() => undefined);
}

export const isSessionGone = (error: unknown): boolean =>
  error instanceof RequestError && (error.status === 404 || error.status === 410);

export interface PlaygroundCallRequest {
  readonly sid: string;
  readonly environment: string;
  readonly tool: string;
  readonly input: JSONObject;
  /** Names the call, so that a connection that breaks cannot have it run twice. */
  readonly taskId: string;
}

/** Delays before a call whose connection broke is asked for again. */
const CALL_BACKOFF: Backoff = { firstMs: 500, longestMs: 10_000 };
const MOST_RETRIES = 6;

/** A stream that is silent for so long is asked for anew: its connection may be dead, and the call goes on. */
const SILENCE_MS = 30_000;

/** Calls a tool and waits for what comes of it. @throws Failure, where the server gave no outcome */
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
      const isPassing = failure.kind === 'offline' || BUSY.includes(failure.status);
      if (!isPassing || failures === MOST_RETRIES) throw failure;
      await sleep(backoffMs(failures++, CALL_BACKOFF), signal);
    }
  }
}

/** Of proxies whose server is away. */
const BUSY = [502, 503, 504];

/** Asks once. Returns undefined if the stream was silent. */
async function attempt(
  request: PlaygroundCallRequest,
  signal: AbortSignal,
): Promise<PlaygroundCallOutcome | undefined> {
  const { sid, environment, tool, input, taskId } = request;
  const joined = joinSignals(signal);
  let isSilent = false;
  const watchdog = startWatchdog(SILENCE_MS, (): undefined => {
    isSilent = true;
    joined.abort();
  });
  try {
    const { events, error, response } = await ors.callTool({
      params: { path: { env_name: environment }, header: header(sid) },
      body: { name: tool, input, task_id: taskId },
      signal: joined.signal,
    });
    if (!events) throw toRequestError(response.status, error);
    const outcome = await readCallOutcome(events, watchdog.heard);
    if (!outcome) throw new RequestError('offline', 0, 'the connection broke before the result was there');
    return outcome;
  } catch (error) {
    if (isSilent && !signal.aborted) return undefined;
    throw error;
  } finally {
    watchdog.stop();
    joined.release();
  }
}

import type { Block, JSONObject, ToolSpec } from '../../../protocol/index.ts';
import { asFailure, Failure, failureOf } from '../api/failure.ts';
import { answerOf, keyHeaders, SERVER } from '../api/store.ts';
import { ors } from '../environments/server.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** The run that the traces of what is played here belong to. */
export const RUN = 'playground';

/** The task that is played. */
export interface Played {
  readonly environment: string;
  readonly split: string;
  readonly index: number;
}

/** An episode as it begins. */
export interface Opened {
  readonly prompt: readonly Block[];
  readonly tools: readonly ToolSpec[];
}

const header = (sid: string) => ({ 'X-Session-ID': sid });

export interface Created {
  readonly sid: string;
  /** Of the trace that it is recorded as, where the server records. */
  readonly traceId: string | undefined;
}

/** Creates an episode; its setup goes on after this. */
export async function createEpisode({ environment, split, index }: Played): Promise<Created> {
  const { sid } = await answerOf(ors.createSession({}));
  const answer = await ors
    .createEpisode({
      params: { header: { ...header(sid), 'X-Trace-Run': RUN } },
      body: { env_name: environment, split, index },
    })
    .catch((error: unknown) => {
      // It may be there all the same.
      deleteEpisode(sid);
      throw asFailure(error);
    });
  await answerOf(Promise.resolve(answer));
  return { sid, traceId: answer.response.headers.get('X-Trace-ID') ?? undefined };
}

/** Waits for the setup, then reads what the player is shown. */
export async function readEpisode(sid: string, environment: string, signal: AbortSignal): Promise<Opened> {
  const params = { path: { env_name: environment }, header: header(sid) };
  const [prompt, { tools }] = await Promise.all([
    answerOf(ors.getPrompt({ params, signal })),
    answerOf(ors.listTaskTools({ params, signal })),
  ]);
  return { prompt, tools };
}

/** Says that the session is still wanted. @throws Failure; it is over where that has the status 404 or 410. */
export const ping = async (sid: string, signal: AbortSignal): Promise<void> =>
  void (await answerOf(ors.ping({ params: { header: header(sid) }, signal })));

/** Ends an episode, even while the page goes away. Nobody waits for it: the server ends idle episodes by itself. */
export function deleteEpisode(sid: string): void {
  const headers = { ...header(sid), ...keyHeaders() };
  void fetch(`${SERVER}/delete`, { method: 'POST', headers, keepalive: true }).catch(() => undefined);
}

export const isOver = (error: unknown): boolean =>
  error instanceof Failure && (error.status === 404 || error.status === 410);

export interface CallRequest {
  readonly sid: string;
  readonly environment: string;
  readonly tool: string;
  readonly input: JSONObject;
  /** Names the call, so that a connection that breaks cannot have it run twice. */
  readonly taskId: string;
}

/** After each of these a call whose connection broke is asked for again, in ms. */
const PAUSES_MS = [300, 1_000, 3_000, 5_000, 10_000];

/** A stream that is silent for so long is asked for anew: its connection may be dead, and the call goes on. */
const SILENCE_MS = 30_000;

/** Calls a tool and waits for what comes of it. @throws Failure, where the server gave no outcome */
export async function callTool(request: CallRequest, signal: AbortSignal): Promise<Outcome> {
  for (let failures = 0; ; ) {
    const silence = new AbortController();
    try {
      return await attempt(request, AbortSignal.any([signal, silence.signal]), silence);
    } catch (error) {
      signal.throwIfAborted();
      if (silence.signal.aborted) continue;
      const failure = asFailure(error);
      const pause = PAUSES_MS[failures++];
      if (pause === undefined || !(failure.kind === 'offline' || BUSY.includes(failure.status))) throw failure;
      await wait(pause, signal);
    }
  }
}

/** Of proxies whose server is away. */
const BUSY = [502, 503, 504];

async function attempt(request: CallRequest, signal: AbortSignal, silence: AbortController): Promise<Outcome> {
  const { sid, environment, tool, input, taskId } = request;
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  try {
    const { events, error, response } = await ors.callTool({
      params: { path: { env_name: environment }, header: header(sid) },
      body: { name: tool, input, task_id: taskId },
      signal,
    });
    if (!events) throw failureOf(response.status, error);
    const outcome = await outcomeOf(events, heard);
    if (!outcome) throw new Failure('offline', 0, 'the connection broke before the result was there');
    return outcome;
  } finally {
    clearTimeout(timer);
  }
}

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('the page was left', 'AbortError'));
    });
  });

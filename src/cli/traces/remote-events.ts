import { operations } from '../../../generated/trace-api-operations.ts';
import {
  failureReason,
  joinSignals,
  oneLine,
  parseRetryAfter,
  retryDelayMs,
  sleep,
  startWatchdog,
  truncate,
  tryParseJson,
} from '../../core/index.ts';
import { decodeEvents, type ServerSentEvent } from '../../sse/index.ts';
import { isRetryableTraceError, parseTraceError, STORE_BACKOFF, TraceError } from '../../trace/client/index.ts';

interface TraceServerAccess {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly organization: string;
}

interface FollowOptions {
  readonly id: string;
  readonly after: number;
}

/** A server sends at least a comment every 15 s. */
const SILENCE_MS = 60_000;

/**
 * Follows a trace over HTTP. What was cut is asked for again from its last block on, for as long as it takes, once a
 * first answer has come.
 *
 * @throws TraceError of the store; NETWORK where there is no server.
 */
export async function* followRemoteTrace(
  server: TraceServerAccess,
  { id, after }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  // The places of blocks are 1, 2, 3...
  let place = after;
  let isKnown = false;
  for (let failures = 0; ; failures++) {
    const idle = startIdleTimeout(signal);
    try {
      const response = await open(server, { id, after: place }, idle.signal);
      isKnown = true;
      for await (const event of decodeEvents(idle.watch(bodyOf(response)))) {
        failures = 0;
        if (event.event === 'error') throw endedBy(event.data);
        if (event.event === 'block') place++;
        yield event;
        if (event.event === 'deleted') return;
      }
      throw new TraceError('NETWORK', 'the server has ended the stream');
    } catch (cause) {
      signal.throwIfAborted();
      const error = cause instanceof TraceError ? cause : cutBy(cause);
      if (!isKnown || !isRetryableTraceError(error)) throw error;
      if (failures === 0) process.stderr.write(`ors: ${oneLine(error.message)}; asking again after block ${place}\n`);
      await sleep(retryDelayMs(failures, STORE_BACKOFF, error.retryAfterMs), signal);
    } finally {
      idle.stop();
    }
  }
}

async function open(
  { url, apiKey, organization }: TraceServerAccess,
  { id, after }: FollowOptions,
  signal: AbortSignal,
) {
  const path = operations.streamTrace.path
    .replace('{org}', encodeURIComponent(organization))
    .replace('{traceId}', encodeURIComponent(id));
  const headers = {
    accept: 'text/event-stream',
    'last-event-id': String(after),
    ...(apiKey !== undefined && { 'x-api-key': apiKey }),
  };
  const response = await fetch(url + path, { headers, signal, redirect: 'manual' });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (response.ok && isStream) return response;
  const text = await response.text();
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'));
  const error = parseTraceError(response.status, tryParseJson(text), retryAfterMs);
  const answered = `GET ${url}${path} answered ${response.status} ${truncate(text, 200)}`;
  throw error ?? new TraceError('PROTOCOL', `${answered}; is there a trace store?`, { status: response.status });
}

/** Why the server has ended the stream, as an event says it. */
const endedBy = (data: string): TraceError =>
  parseTraceError(401, tryParseJson(data)) ??
  new TraceError('PROTOCOL', `the stream ended with an error: ${truncate(data, 200)}`);

/** fetch types its body as what browsers have; in Node one can iterate over it. */
const bodyOf = ({ body }: Response) => (body ?? []) as unknown as AsyncIterable<Uint8Array>;

function cutBy(cause: unknown): TraceError {
  return new TraceError('NETWORK', `the connection to the server is cut: ${failureReason(cause)}`, { cause });
}

/** Aborts a request after `SILENCE_MS` without data. */
function startIdleTimeout(signal: AbortSignal) {
  const joined = joinSignals(signal);
  const watchdog = startWatchdog(SILENCE_MS, (): undefined => {
    joined.abort(new Error(`nothing came for ${SILENCE_MS / 1000} s`));
  });
  return {
    signal: joined.signal,
    async *watch(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        watchdog.heard();
        yield chunk;
      }
    },
    stop() {
      watchdog.stop();
      joined.release();
    },
  };
}

import { operations } from '../../../generated/trace-api-operations.ts';
import {
  failureReason,
  oneLine,
  parseRetryAfter,
  retryDelayMs,
  sleep,
  truncate,
  tryParseJson,
} from '../../core/index.ts';
import { decodeEvents, type ServerSentEvent } from '../../sse/index.ts';
import { isRetryableTraceError, parseTraceError, STORE_BACKOFF, TraceError } from '../../trace/client/index.ts';
import { startSilenceTimeout } from '../remote/connect.ts';

interface TraceServerAccess {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly organization: string;
}

interface FollowOptions {
  readonly id: string;
  readonly after: number;
}

/** A server sends at least a comment every 15 s, so this is a lost connection. */
const SILENCE_MS = 60_000;

/**
 * Follows a trace over HTTP. After a first response, a broken stream is resumed from its last block, without a time limit.
 *
 * @throws TraceError of the store; NETWORK if the server cannot be reached.
 */
export async function* followRemoteTrace(
  server: TraceServerAccess,
  { id, after }: FollowOptions,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  // Ordinals of blocks are 1, 2, 3, ...
  let ordinal = after;
  let isKnown = false;
  for (let failures = 0; ; failures++) {
    const idle = startSilenceTimeout(SILENCE_MS, () => new Error(`no data for ${SILENCE_MS / 1000} s`), signal);
    try {
      const response = await open(server, { id, after: ordinal }, idle.signal);
      isKnown = true;
      for await (const event of decodeEvents(readBody(response, idle.heard))) {
        failures = 0;
        if (event.event === 'error') throw toStreamError(event.data);
        if (event.event === 'block') ordinal++;
        yield event;
        if (event.event === 'deleted') return;
      }
      throw new TraceError('NETWORK', 'the server ended the stream');
    } catch (cause) {
      signal.throwIfAborted();
      const error = cause instanceof TraceError ? cause : connectionLost(cause);
      if (!isKnown || !isRetryableTraceError(error)) throw error;
      if (failures === 0) process.stderr.write(`ors: ${oneLine(error.message)}; resuming after block ${ordinal}\n`);
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
  const outcome = `GET ${url}${path} responded ${response.status} ${truncate(text, 200)}`;
  throw error ?? new TraceError('PROTOCOL', `${outcome}; check that it is a trace store`, { status: response.status });
}

/** Converts an error event of the stream. */
const toStreamError = (data: string): TraceError =>
  parseTraceError(401, tryParseJson(data)) ??
  new TraceError('PROTOCOL', `the stream ended with an error: ${truncate(data, 200)}`);

async function* readBody({ body }: Response, onChunk: () => void): AsyncGenerator<Uint8Array> {
  // The type of fetch's body is that of browsers; in Node it is async iterable.
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    onChunk();
    yield chunk;
  }
}

function connectionLost(cause: unknown): TraceError {
  return new TraceError('NETWORK', `lost the connection to the server: ${failureReason(cause)}`, { cause });
}

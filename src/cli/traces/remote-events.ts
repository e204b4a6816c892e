import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '../../../generated/trace-api-operations.ts';
import { errorMessage, tryParseJson } from '../../core/index.ts';
import { decodeEvents, type ServerSentEvent } from '../../sse/index.ts';
import { backoffMs, isTransient, refusalIn, TraceError } from '../../trace/client/index.ts';
import { cleanLine } from '../terminal/clean-text.ts';

interface Server {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly organization: string;
}

interface Wanted {
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
export async function* remoteEvents(
  server: Server,
  { id, after }: Wanted,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent> {
  // The places of blocks are 1, 2, 3...
  let place = after;
  let isKnown = false;
  for (let failures = 0; ; failures++) {
    const silence = createSilence(signal);
    try {
      const response = await open(server, { id, after: place }, silence.signal);
      isKnown = true;
      for await (const event of decodeEvents(silence.watch(bodyOf(response)))) {
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
      if (!isKnown || !isTransient(error)) throw error;
      if (failures === 0) process.stderr.write(`ors: ${cleanLine(error.message)}; asking again after block ${place}\n`);
      await sleep(Math.max(error.retryAfterMs, backoffMs(failures)), undefined, { signal });
    } finally {
      silence.end();
    }
  }
}

async function open({ url, apiKey, organization }: Server, { id, after }: Wanted, signal: AbortSignal) {
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
  const error = refusalIn(response.status, tryParseJson(text));
  const answered = `GET ${url}${path} answered ${response.status} ${text.slice(0, 200)}`;
  throw error ?? new TraceError('PROTOCOL', `${answered}; is there a trace store?`, { status: response.status });
}

/** Why the server has ended the stream, as an event says it. */
const endedBy = (data: string): TraceError =>
  refusalIn(401, tryParseJson(data)) ??
  new TraceError('PROTOCOL', `the stream ended with an error: ${data.slice(0, 200)}`);

/** fetch types its body as what browsers have; in Node one can iterate over it. */
const bodyOf = ({ body }: Response) => (body ?? []) as unknown as AsyncIterable<Uint8Array>;

function cutBy(cause: unknown): TraceError {
  const reason = (cause as { cause?: { message?: string } }).cause?.message ?? String(errorMessage(cause));
  return new TraceError('NETWORK', `the connection to the server is cut: ${reason}`, { cause });
}

/** Aborts when nothing comes for too long. */
function createSilence(signal: AbortSignal) {
  const controller = new AbortController();
  const fail = () => controller.abort(new Error(`nothing came for ${SILENCE_MS / 1000} s`));
  const timer = setTimeout(fail, SILENCE_MS);
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    async *watch(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of bytes) {
        timer.refresh();
        yield chunk;
      }
    },
    end: () => clearTimeout(timer),
  };
}

import { failureReason, networkErrorKind, settlesWithin } from '../core/index.ts';
import { OrsClientError, OrsConnectionError, OrsProtocolError } from './errors.ts';

/** Sends HTTP requests: the only part of the client that depends on the platform. */
export interface Transport {
  /** Resolves with the head of the response; rejects if no response arrives. */
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

export interface TransportRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

/** Response whose headers have arrived. */
export interface TransportResponse {
  readonly status: number;
  header(name: string): string | undefined;
  /** Reads the whole body. */
  text(): Promise<string>;
  /** Reads the body in chunks; leaving the loop early closes the connection. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** Creates a transport that uses `fetch`. */
export function createFetchTransport(fetch: typeof globalThis.fetch): Transport {
  return {
    async send({ method, url, headers, body, signal }) {
      const init = { method, headers, signal, redirect: 'manual' as const, credentials: 'omit' as const };
      const response = await fetch(url, body === undefined ? init : { ...init, body });
      // Browsers hide the target of a redirect.
      if (response.type === 'opaqueredirect') {
        throw new OrsProtocolError(`${url} redirects elsewhere; use the URL that it redirects to`);
      }
      return {
        status: response.status,
        header: (name) => response.headers.get(name) ?? undefined,
        text: () => response.text(),
        bytes: () => chunks(response.body),
      };
    },
    close: async () => undefined,
  };
}

// Safari and older browsers cannot iterate over streams.
async function* chunks(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (!stream) return;
  const reader = stream.getReader();
  let isDone = false;
  try {
    while (!isDone) {
      const { done, value } = await reader.read();
      isDone = done;
      if (value) yield value;
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => undefined);
  }
}

/** A connection could not be made, broke or became silent; another attempt may succeed. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';

  /** True if the server may have received the request. */
  get mayHaveArrived(): boolean {
    return networkErrorKind(this) !== 'not_sent';
  }
}

/**
 * Converts network errors of `work`; errors of the client pass unchanged.
 *
 * @throws ConnectionFailure; OrsConnectionError if another attempt cannot succeed.
 */
export async function wrapConnectionErrors<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof OrsClientError || cause instanceof ConnectionFailure) throw cause;
    const message = `no response from ${url}: ${failureReason(cause)}${isBrowserPage() ? BROWSER_ADVICE : ''}`;
    const kind = networkErrorKind(cause);
    if (kind !== 'certificate' && kind !== 'permanent') throw new ConnectionFailure(message, { cause });
    const advice = kind === 'certificate' ? '; pass the certificate of its authority as ca' : '';
    throw new OrsConnectionError(message + advice, { cause });
  }
}

/** Browsers report both causes in the same way. */
const BROWSER_ADVICE = '; the server is down, or does not allow pages of this origin (corsOrigins)';
const isBrowserPage = () => 'window' in globalThis && 'document' in globalThis;

/** Maximum length of a response in bytes; JavaScript strings end at about twice as many characters. */
const MAX_BYTES = 2 ** 28;

/**
 * Reads the body of a response.
 *
 * @param onChunk called for each chunk that arrives.
 * @throws ConnectionFailure if the body is incomplete; OrsProtocolError if it is longer than 256 MiB.
 */
export async function readResponseText(
  url: string,
  response: TransportResponse,
  onChunk?: () => void,
): Promise<string> {
  const length = Number(response.header('Content-Length') ?? Number.NaN);
  if (length <= MAX_BYTES && !onChunk) return wrapConnectionErrors(url, () => response.text());
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of readResponseBytes(url, response, onChunk)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

/** Reads the body of a response in chunks; parameters and errors as `readResponseText`. */
export async function* readResponseBytes(
  url: string,
  response: TransportResponse,
  onChunk?: () => void,
): AsyncGenerator<Uint8Array> {
  const chunks = response.bytes()[Symbol.asyncIterator]();
  let length = 0;
  for (;;) {
    const { done, value } = await wrapConnectionErrors(url, () => chunks.next());
    if (done) return;
    length += value.length;
    if (length > MAX_BYTES) throw new OrsProtocolError(`the response of ${url} is longer than ${MAX_BYTES} bytes`);
    onChunk?.();
    yield value;
  }
}

export const isEventStream = (response: TransportResponse): boolean =>
  (response.header('Content-Type') ?? '').toLowerCase().startsWith('text/event-stream');

/** Time that a server has to end a stream after its last event, in ms. */
const DRAIN_MS = 1_000;

/** Returns true if the stream ends within the drain time, cleanly or not. */
export async function endsInTime(next: Promise<IteratorResult<unknown>>): Promise<boolean> {
  const isEnd = next.then(
    ({ done }) => done === true,
    () => true,
  );
  return (await settlesWithin(DRAIN_MS, isEnd)) && isEnd;
}

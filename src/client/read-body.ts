import { settlesWithin } from '../core/index.ts';
import { wrapConnectionErrors } from './connection-failure.ts';
import { OrsProtocolError } from './errors.ts';
import type { TransportResponse } from './transport.ts';

/** The longest answer that is read, in bytes; engines end near twice as many characters in one string. */
const MAX_BYTES = 2 ** 28;

/**
 * The body of an answer.
 *
 * @param onPiece called for all that arrives.
 * @throws ConnectionFailure if it does not arrive whole; OrsProtocolError if it is longer than 256 MiB.
 */
export async function readResponseText(
  url: string,
  response: TransportResponse,
  onPiece?: () => void,
): Promise<string> {
  const length = Number(response.header('Content-Length') ?? Number.NaN);
  if (length <= MAX_BYTES && !onPiece) return wrapConnectionErrors(url, () => response.text());
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of limitBytes(url, response, onPiece)) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

/** The bytes of an answer as they come. Parameters and errors as readText. */
export async function* limitBytes(
  url: string,
  response: TransportResponse,
  onPiece?: () => void,
): AsyncGenerator<Uint8Array> {
  const pieces = response.bytes()[Symbol.asyncIterator]();
  let length = 0;
  for (;;) {
    const { done, value } = await wrapConnectionErrors(url, () => pieces.next());
    if (done) return;
    length += value.length;
    if (length > MAX_BYTES) throw new OrsProtocolError(`the answer of ${url} is longer than ${MAX_BYTES} bytes`);
    onPiece?.();
    yield value;
  }
}

/** Whether an answer is a stream of events. */
export const isEventStream = (response: TransportResponse): boolean =>
  (response.header('Content-Type') ?? '').toLowerCase().startsWith('text/event-stream');

/** After the last event a server ends the stream; one that does not is left, after so many ms. */
const DRAIN_MS = 1_000;

/** Whether what comes next is the end of a stream, well or not, within the time that it may take. */
export async function endsWithin(next: Promise<IteratorResult<unknown>>): Promise<boolean> {
  const isEnd = next.then(
    ({ done }) => done === true,
    () => true,
  );
  return (await settlesWithin(DRAIN_MS, isEnd)) && isEnd;
}

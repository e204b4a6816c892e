import { OrsProtocolError } from './errors.ts';
import type { TransportResponse } from './transport.ts';

/** The longest answer that is read, in bytes; engines end near twice as many characters in one string. */
const MAX_BYTES = 2 ** 28;

/** The body of an answer. @throws OrsProtocolError if it is longer than 256 MiB. */
export async function readText(response: TransportResponse): Promise<string> {
  const length = Number(response.header('Content-Length') ?? Number.NaN);
  if (length <= MAX_BYTES) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of bounded(response.bytes())) text += decoder.decode(piece, { stream: true });
  return text + decoder.decode();
}

/** The bytes of an answer as they come. @throws OrsProtocolError where they become more than 256 MiB. */
export async function* bounded(bytes: AsyncIterable<Uint8Array>, onPiece?: () => void): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of bytes) {
    length += piece.length;
    if (length > MAX_BYTES) throw new OrsProtocolError(`the answer is longer than ${MAX_BYTES} bytes`);
    onPiece?.();
    yield piece;
  }
}

import type { ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { BodyTooLarge, HttpError } from './http-error.ts';

const DECOMPRESSORS = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

export const isCompression = (encoding: string): boolean => DECOMPRESSORS.has(encoding);

/**
 * Decompresses request bodies within a budget for all of them together: 31 KB of gzip can hold 32 MB, so a limit per
 * request alone would let a few KB a second fill the memory. A body counts until its request is answered.
 */
export class Decompressor {
  readonly #limitBytes: number;
  readonly #budgetBytes: number;
  #heldBytes = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param limitBytes of one body, decompressed; all together may have twice as much. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
    this.#budgetBytes = 2 * limitBytes;
  }

  /**
   * @throws HttpError 400 for bytes that are not of this encoding, 413 for a body over the limit, 503 while the bodies of
   * other requests use up the budget.
   */
  decompress(bytes: Uint8Array, encoding: string, response: ServerResponse): Promise<Buffer> {
    // One after the other: how large one becomes is known when it is done.
    const result = this.#last.then(() => this.#decompressNext(bytes, encoding, response));
    this.#last = result.catch(() => {});
    return result;
  }

  async #decompressNext(bytes: Uint8Array, encoding: string, response: ServerResponse): Promise<Buffer> {
    const decompress = DECOMPRESSORS.get(encoding);
    if (!decompress) throw new HttpError(415, `unsupported Content-Encoding: expected gzip, deflate or br`);
    const freeBytes = this.#budgetBytes - this.#heldBytes;
    if (freeBytes <= 0) throw budgetUsedUp();
    try {
      const body = await decompress(bytes, { maxOutputLength: Math.min(this.#limitBytes, freeBytes) });
      this.#hold(body.length, response);
      return body;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ERR_BUFFER_TOO_LARGE') throw new HttpError(400, `the body could not be read: ${message}`);
      throw freeBytes < this.#limitBytes ? budgetUsedUp() : new BodyTooLarge(this.#limitBytes, null);
    }
  }

  #hold(bytes: number, response: ServerResponse): void {
    if (response.closed) return;
    this.#heldBytes += bytes;
    response.once('close', () => {
      this.#heldBytes -= bytes;
    });
  }
}

const budgetUsedUp = (): HttpError =>
  new HttpError(503, 'too many compressed bodies are in flight; try again, or send the body uncompressed', {
    'Retry-After': '1',
  });

import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { errorMessage, hasCode, Mutex } from '../core/index.ts';
import { admittedCaller } from './admit.ts';
import { BodyTooLarge, HttpError } from './http-error.ts';

const DECOMPRESSORS = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

export const isCompression = (encoding: string): boolean => DECOMPRESSORS.has(encoding);

/** Bodies of one caller that are decompressed or wait for that, or whose requests are being answered. */
interface Budget {
  heldBytes: number;
  bodies: number;
  /** The size of a body is known when it is decompressed. */
  readonly mutex: Mutex;
}

/**
 * Decompresses request bodies within a budget for all bodies of a caller: 31 KB of gzip can hold 32 MB, so a limit per
 * request alone would let a few KB a second fill the memory. A body counts until its request is answered. Without
 * authentication all requests share one budget.
 */
export class Decompressor {
  readonly #limitBytes: number;
  readonly #budgetBytes: number;
  readonly #budgets = new Map<string | undefined, Budget>();

  /** @param limitBytes of one body, decompressed; all bodies of a caller together may have twice as much. */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
    this.#budgetBytes = 2 * limitBytes;
  }

  /**
   * @throws HttpError 400 for bytes that are not of this encoding, 413 for a body over the limit, 503 while other requests
   * of the caller use up the budget.
   */
  decompress(bytes: Uint8Array, encoding: string, request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
    const caller = admittedCaller(request);
    const budget = this.#budgets.get(caller) ?? { heldBytes: 0, bodies: 0, mutex: new Mutex() };
    this.#budgets.set(caller, budget);
    budget.bodies++;
    let ownBytes = 0;
    const result = budget.mutex.run(async () => {
      const body = await this.#decompressWithin(this.#budgetBytes - budget.heldBytes, bytes, encoding);
      ownBytes = body.length;
      budget.heldBytes += ownBytes;
      return body;
    });
    const release = () => {
      budget.heldBytes -= ownBytes;
      budget.bodies--;
      if (budget.bodies === 0) this.#budgets.delete(caller);
    };
    const releaseWithResponse = () => {
      if (response.closed) release();
      else response.once('close', release);
    };
    result.then(releaseWithResponse, releaseWithResponse);
    return result;
  }

  async #decompressWithin(freeBytes: number, bytes: Uint8Array, encoding: string): Promise<Buffer> {
    const decompress = DECOMPRESSORS.get(encoding);
    if (!decompress) throw new HttpError(415, 'unsupported Content-Encoding: expected gzip, deflate or br');
    if (freeBytes <= 0) throw budgetUsedUp();
    try {
      return await decompress(bytes, { maxOutputLength: Math.min(this.#limitBytes, freeBytes) });
    } catch (error) {
      if (!hasCode(error, 'ERR_BUFFER_TOO_LARGE')) {
        throw new HttpError(400, `the body could not be read: ${errorMessage(error)}`);
      }
      throw freeBytes < this.#limitBytes ? budgetUsedUp() : new BodyTooLarge(this.#limitBytes, null);
    }
  }
}

const budgetUsedUp = (): HttpError =>
  new HttpError(503, 'too many compressed bodies are in flight; try again, or send the body uncompressed', {
    'Retry-After': '1',
  });

import { failureReason, networkErrorKind } from '../core/index.ts';
import { OrsClientError, OrsConnectionError } from './errors.ts';

/** A connection that could not be made, broke, or fell silent. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';

  /** Whether the server may have got the request. */
  get mayHaveArrived(): boolean {
    return networkErrorKind(this) !== 'not_sent';
  }
}

/**
 * Names what failed on the way to a server or back; errors of ours stay what they are.
 *
 * @throws ConnectionFailure; OrsConnectionError if no other attempt can do better.
 */
export async function wrapConnectionErrors<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof OrsClientError || cause instanceof ConnectionFailure) throw cause;
    const message = `no answer from ${url}: ${failureReason(cause)}${isInPage() ? ADVICE_FOR_PAGES : ''}`;
    const kind = networkErrorKind(cause);
    if (kind !== 'certificate' && kind !== 'permanent') throw new ConnectionFailure(message, { cause });
    const advice = kind === 'certificate' ? '; pass the certificate of its authority as ca' : '';
    throw new OrsConnectionError(message + advice, { cause });
  }
}

/** Browsers do not tell one from the other. */
const ADVICE_FOR_PAGES = '; the server is down, or does not answer to pages of this origin (corsOrigins)';
const isInPage = () => 'window' in globalThis && 'document' in globalThis;

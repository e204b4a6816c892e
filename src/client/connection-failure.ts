import { errorMessage } from '../core/index.ts';
import { OrsClientError, OrsConnectionError } from './errors.ts';

/** A connection that could not be made, broke, or fell silent. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';

  /** Whether the server may have got the request. */
  get mayHaveArrived(): boolean {
    return !NEVER_SENT.includes(rootOf(this).code ?? '');
  }
}

const NEVER_SENT: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].concat(
  'UND_ERR_CONNECT_TIMEOUT',
);

/** Certificates that nobody trusts and headers that cannot be sent do not get better with time. */
const FOR_GOOD = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|UND_ERR_INVALID_ARG|ERR_INVALID)/;

/**
 * Names what failed on the way to a server or back; errors of ours stay what they are.
 *
 * @throws ConnectionFailure; OrsConnectionError if no other attempt can do better.
 */
export async function connected<T>(url: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof OrsClientError || cause instanceof ConnectionFailure) throw cause;
    const { message: reason, name, code = '' } = rootOf(cause);
    const message = `no answer from ${url}: ${reason || name}${isInPage() ? ADVICE_FOR_PAGES : ''}`;
    if (!FOR_GOOD.test(code)) throw new ConnectionFailure(message, { cause });
    const advice = /CERT|SIGNED|UNABLE/.test(code) ? '; pass the certificate of its authority as ca' : '';
    throw new OrsConnectionError(message + advice, { cause });
  }
}

/** Browsers do not tell one from the other. */
const ADVICE_FOR_PAGES = '; the server is down, or does not answer to pages of this origin (corsOrigins)';
const isInPage = () => 'window' in globalThis && 'document' in globalThis;

/** fetch hides the reason in its cause; several addresses of one name fail together, without a text. */
function rootOf(failure: unknown): Partial<NodeJS.ErrnoException> {
  if (typeof failure !== 'object' || failure === null) return { message: errorMessage(failure) };
  const { cause, errors } = failure as { cause?: unknown; errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return rootOf(errors[0]);
  return typeof cause === 'object' && cause !== null ? rootOf(cause) : failure;
}

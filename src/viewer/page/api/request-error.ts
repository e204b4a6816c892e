import { errorMessage } from '../../../core/index.ts';

/** Reason why a request failed; `ErrorCard` has a title and advice for each. */
export type RequestErrorKind =
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'deleted'
  | 'offline'
  | 'server'
  | 'refused'
  | 'other';

/** Failed request. */
export class RequestError extends Error {
  readonly kind: RequestErrorKind;
  /** HTTP status; 0 without a response. */
  readonly status: number;

  constructor(kind: RequestErrorKind, status: number, message: string) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

/** Returns the status of a failed response for display after its message; empty if the message has it already. */
export const statusNote = ({ status, message }: RequestError): string =>
  status > 0 && !message.includes(`status ${status}`) ? ` (status ${status})` : '';

const KINDS: Readonly<Record<number, RequestErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
  410: 'deleted',
};

/** Creates the error for a response, with the message of its body or its status. */
export function toRequestError(status: number, body: unknown): RequestError {
  const kind = KINDS[status] ?? (status >= 500 ? 'server' : 'refused');
  return new RequestError(kind, status, messageIn(body) ?? `the server answered with status ${status}`);
}

/** Messages of Chrome, Firefox and Safari for failed requests and broken connections. */
const NETWORK = /fetch|network|load failed|input stream/i;

/** Converts any thrown value to a `RequestError`. */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof TypeError && NETWORK.test(error.message))
    return new RequestError('offline', 0, 'the server is unreachable');
  // The server sends JSON; anything else comes from a proxy.
  if (error instanceof SyntaxError) return new RequestError('other', 0, 'the response is not JSON');
  return new RequestError('server', 0, errorMessage(error));
}

function messageIn(body: unknown): string | undefined {
  const { error, detail } = (body ?? {}) as { error?: { message?: unknown } | string; detail?: unknown };
  const message = typeof error === 'object' ? error?.message : (error ?? detail);
  return typeof message === 'string' ? message : undefined;
}

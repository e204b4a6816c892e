import { errorMessage } from '../../../core/index.ts';
/** Why something is not shown: each kind is told in its own words, with what to do next. */
export type RequestErrorKind =
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'deleted'
  | 'offline'
  | 'server'
  | 'refused'
  | 'other';

/** What a request came to that gave nothing. */
export class RequestError extends Error {
  readonly kind: RequestErrorKind;
  /** Of the answer; 0 where there was none. */
  readonly status: number;

  constructor(kind: RequestErrorKind, status: number, message: string) {
    super(message);
    this.kind = kind;
    this.status = status;
  }
}

const KINDS: Readonly<Record<number, RequestErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
  410: 'deleted',
};

/** The failure that an answer tells of, in the words of its body; a body without words has its status told. */
export function toRequestError(status: number, body: unknown): RequestError {
  const kind = KINDS[status] ?? (status >= 500 ? 'server' : 'refused');
  return new RequestError(kind, status, messageIn(body) ?? `the server answered with status ${status}`);
}

/** What browsers say when a request fails or the connection breaks: Chrome, Firefox, Safari. */
const NETWORK = /fetch|network|load failed|input stream/i;

/** Returns any error as a failure. */
export function asRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof TypeError && NETWORK.test(error.message))
    return new RequestError('offline', 0, 'the server does not answer');
  // What is read of an answer is JSON, unless somebody else has given it.
  if (error instanceof SyntaxError) return new RequestError('other', 0, 'the answer is no JSON');
  return new RequestError('server', 0, errorMessage(error));
}

function messageIn(body: unknown): string | undefined {
  const { error, detail } = (body ?? {}) as { error?: { message?: unknown } | string; detail?: unknown };
  const message = typeof error === 'object' ? error?.message : (error ?? detail);
  return typeof message === 'string' ? message : undefined;
}

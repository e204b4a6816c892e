import { truncate } from './text.ts';

/** Maximum length of messages and stacks, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 100_000;
/** Number of errors of an AggregateError whose messages are shown. */
const MAX_ERRORS = 3;
/** Maximum depth of causes and of nested AggregateErrors, which may be circular. */
const MAX_LEVELS = 8;

/** Reads a property. Returns undefined if that throws, as revoked proxies and some getters do. */
export function propertyOf(value: unknown, key: PropertyKey): unknown {
  try {
    return (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** Like `instanceof`, but returns false for a value that throws when it is inspected, such as a revoked proxy. */
export function isInstance<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/**
 * Returns the message of any thrown value, or else the messages of the errors of an AggregateError, the name, or the type.
 * Never throws, and never returns an empty text. Messages are cut at 100,000 characters.
 */
export function errorMessage(error: unknown): string {
  if (error === undefined || error === null) return `${error} was thrown`;
  if (!isObject(error)) return bounded(String(error)) || 'an empty string was thrown';
  const message = textOf(error, 'message') || messagesOf(error, MAX_LEVELS) || errorName(error);
  return message || `a value of type ${typeof error} was thrown`;
}

/** Returns the stack of any thrown value, or its name and message if it has none. Never throws. */
export function errorStack(error: unknown): string {
  const stack = isObject(error) ? textOf(error, 'stack') : '';
  if (stack !== '') return stack;
  const name = errorName(error);
  const message = errorMessage(error);
  return name === '' || name === message ? message : `${name}: ${message}`;
}

/** Returns the name of an error; empty if it has none. Never throws. */
export const errorName = (error: unknown): string => (isObject(error) ? textOf(error, 'name') : '');

/** Returns the string code of an error, such as `ENOENT`, or undefined if it has none. Never throws. */
export function errorCode(error: unknown): string | undefined {
  const code = isObject(error) ? propertyOf(error, 'code') : undefined;
  return typeof code === 'string' ? bounded(code) : undefined;
}

/** Returns true if an error has one of these codes. Never throws. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean => codes.includes(errorCode(error) ?? '');

/**
 * Returns the root cause of an error: follows `cause` and the first of the `errors` of an AggregateError, where `fetch`
 * hides the reason of a failure. Never throws.
 */
export function rootCause(error: unknown): unknown {
  let root = error;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const cause = propertyOf(root, 'cause');
    const next = isObject(cause) ? cause : propertyOf(propertyOf(root, 'errors'), 0);
    if (!isObject(next)) return root;
    root = next;
  }
  return root;
}

/**
 * Returns the reason of a failure, such as `connect ECONNREFUSED 127.0.0.1:80`: the message of the root cause, and that of
 * the error itself if it adds something. Never throws, and never returns an empty text.
 */
export function failureReason(error: unknown): string {
  const root = rootCause(error);
  const reason = withoutOpenSslDetails(
    (isObject(root) && (textOf(root, 'message') || errorCode(root))) || errorMessage(root),
  );
  const message = isObject(error) ? withoutOpenSslDetails(textOf(error, 'message')) : '';
  if (message === '' || message === 'fetch failed' || reason.includes(message)) return reason;
  return message.includes(reason) ? message : `${message} (${reason})`;
}

/** `805CB7A9957F0000:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:../ssl3_record.c:350:` */
const OPENSSL_ERROR = /(?:write EPROTO )?[0-9A-F]+:error:[0-9A-F]+:SSL routines:[^:]*:([^:]+):.*\s*/g;

/** Keeps the reason of a failure in OpenSSL, without addresses, codes and names of its functions and files. */
const withoutOpenSslDetails = (text: string): string => text.replace(OPENSSL_ERROR, 'TLS failed: $1');

/**
 * Returns the `codeFrame` of an error or of one of its causes: the lines of code around a mistake. Undefined if none has
 * one. Never throws.
 */
export function codeFrameOf(error: unknown): string | undefined {
  let each = error;
  for (let level = 0; level < MAX_LEVELS && isObject(each); level++) {
    const frame = textOf(each, 'codeFrame');
    if (frame !== '') return frame;
    each = propertyOf(each, 'cause');
  }
  return undefined;
}

const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
const CERTIFICATE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)/;
const PERMANENT = /^(ERR_TLS|ERR_SSL|UND_ERR_INVALID_ARG|ERR_INVALID)/;

/**
 * Classifies a failed request by the code of its root cause. Returns undefined if the request may have arrived.
 *
 * - `not_sent`: the connection could not be opened.
 * - `certificate`: the certificate of the server is not trusted; a retry would fail too.
 * - `permanent`: another failure that would happen again, such as headers that cannot be sent.
 */
export function networkErrorKind(error: unknown): 'not_sent' | 'certificate' | 'permanent' | undefined {
  const root = rootCause(error);
  const code = errorCode(root) ?? '';
  if (hasCode(root, ...NOT_SENT)) return 'not_sent';
  if (CERTIFICATE.test(code)) return 'certificate';
  return PERMANENT.test(code) ? 'permanent' : undefined;
}

/** Returns true for the error of a stack overflow, as recursion into deep values causes. Never throws. */
export const isStackOverflow = (error: unknown): boolean =>
  errorName(error) === 'RangeError' && /call stack/i.test(errorMessage(error));

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

function textOf(value: object, key: string): string {
  const text = propertyOf(value, key);
  return typeof text === 'string' ? bounded(text) : '';
}

/** Joins the messages of the errors of an AggregateError; empty if it has none. */
function messagesOf(error: object, levels: number): string {
  const errors = propertyOf(error, 'errors');
  if (levels === 0 || !Array.isArray(errors)) return '';
  try {
    const messages = errors
      .slice(0, MAX_ERRORS)
      .filter(isObject)
      .map((each) => textOf(each, 'message') || messagesOf(each, levels - 1) || errorCode(each) || errorName(each));
    const shown = [...new Set(messages)].filter((message) => message !== '').join('; ');
    return shown !== '' && errors.length > MAX_ERRORS ? `${shown}; ...` : shown;
  } catch {
    return '';
  }
}

const bounded = (text: string): string => truncate(text, MAX_TEXT_LENGTH);

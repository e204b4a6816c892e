import { truncate } from './text.ts';

/** Longest message or stack that is read of an error, in UTF-16 code units. */
const LONGEST_TEXT = 100_000;
/** Errors of an AggregateError whose messages are shown. */
const MOST_ERRORS = 3;
/** Causes of causes, or AggregateErrors in AggregateErrors, that are followed: both may be circular. */
const MOST_LEVELS = 8;

/** Reads a property; undefined if that fails, as it does for revoked proxies and for getters that throw. */
export function propertyOf(value: unknown, key: PropertyKey): unknown {
  try {
    return (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** Same as `instanceof`, but false for a value that throws when it is looked at, such as a revoked proxy. */
export function isInstance<T>(value: unknown, type: abstract new (...args: never[]) => T): value is T {
  try {
    return value instanceof type;
  } catch {
    return false;
  }
}

/**
 * Returns the message of a caught value, whatever was thrown. Never throws and is never empty: without a message it is
 * those of the errors that an AggregateError has, the name, or the type. Longer messages are cut at 100,000 characters.
 */
export function errorMessage(error: unknown): string {
  if (error === undefined || error === null) return `${error} was thrown`;
  if (!isObject(error)) return bounded(String(error)) || 'an empty string was thrown';
  const message = textOf(error, 'message') || messagesOf(error, MOST_LEVELS) || errorName(error);
  return message || `a value of type ${typeof error} was thrown`;
}

/** Returns the stack of a caught value, or its name and message if it has none. Never throws. */
export function errorStack(error: unknown): string {
  const stack = isObject(error) ? textOf(error, 'stack') : '';
  if (stack !== '') return stack;
  const name = errorName(error);
  const message = errorMessage(error);
  return name === '' || name === message ? message : `${name}: ${message}`;
}

/** Returns the name of an error; empty if it has none. Never throws. */
export const errorName = (error: unknown): string => (isObject(error) ? textOf(error, 'name') : '');

/**
 * Returns the code of an error of Node or of a library, such as `ENOENT`; undefined if it has none, or a number. Never
 * throws.
 */
export function errorCode(error: unknown): string | undefined {
  const code = isObject(error) ? propertyOf(error, 'code') : undefined;
  return typeof code === 'string' ? bounded(code) : undefined;
}

/** Returns whether an error has one of these codes. Never throws. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean => codes.includes(errorCode(error) ?? '');

/**
 * Returns what an error was caused by in the end, along `cause` and the first of the `errors` of an AggregateError: `fetch`
 * hides the reason of a failure there. Never throws.
 */
export function rootCause(error: unknown): unknown {
  let root = error;
  for (let level = 0; level < MOST_LEVELS; level++) {
    const cause = propertyOf(root, 'cause');
    const next = isObject(cause) ? cause : propertyOf(propertyOf(root, 'errors'), 0);
    if (!isObject(next)) return root;
    root = next;
  }
  return root;
}

/**
 * Returns why an operation failed, such as `connect ECONNREFUSED 127.0.0.1:80`: the message of the root cause, and the
 * message of the error itself unless it says nothing more. Never throws and is never empty.
 */
export function failureReason(error: unknown): string {
  const root = rootCause(error);
  const reason = (isObject(root) && (textOf(root, 'message') || errorCode(root))) || errorMessage(root);
  const message = isObject(error) ? textOf(error, 'message') : '';
  if (message === '' || message === 'fetch failed' || reason.includes(message)) return reason;
  return message.includes(reason) ? message : `${message} (${reason})`;
}

const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];
const CERTIFICATE = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_CERT)/;
const PERMANENT = /^(ERR_TLS|ERR_SSL|UND_ERR_INVALID_ARG|ERR_INVALID)/;

/**
 * Classifies a failed request by the code of its root cause; undefined if the request may have arrived.
 *
 * - `not_sent`: there was no connection.
 * - `certificate`: the certificate of the server is not trusted, which no retry changes.
 * - `permanent`: other failures that no retry changes, such as headers that cannot be sent.
 */
export function networkErrorKind(error: unknown): 'not_sent' | 'certificate' | 'permanent' | undefined {
  const root = rootCause(error);
  const code = errorCode(root) ?? '';
  if (hasCode(root, ...NOT_SENT)) return 'not_sent';
  if (CERTIFICATE.test(code)) return 'certificate';
  return PERMANENT.test(code) ? 'permanent' : undefined;
}

/**
 * Returns whether importing or requiring a package failed since the package is not installed. The code alone does not tell:
 * an installed package may lack one of its dependencies.
 */
export function isMissingPackage(error: unknown, name: string): boolean {
  const message = errorMessage(error);
  const isNamed = message.includes(`'${name}'`) || message.includes(`'${name}/`);
  return hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND') && isNamed;
}

/** A package that users install themselves is missing; the message has the command that installs it. */
export class MissingPackageError extends Error {}

/**
 * Imports a package that users install themselves.
 *
 * @param purpose what needs the package, for the message.
 * @throws MissingPackageError if the package is not installed; other errors of the import.
 */
export async function loadOptionalPackage<T>(name: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissingPackage(error, name)) throw error;
    throw new MissingPackageError(`${purpose} needs the package ${name}: npm install ${name}`, { cause: error });
  }
}

/** Returns whether an error says that the stack has overflowed, as recursion into deep values does. Never throws. */
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
      .slice(0, MOST_ERRORS)
      .filter(isObject)
      .map((each) => textOf(each, 'message') || messagesOf(each, levels - 1) || errorCode(each) || errorName(each));
    const shown = [...new Set(messages)].filter((message) => message !== '').join('; ');
    return shown !== '' && errors.length > MOST_ERRORS ? `${shown}; ...` : shown;
  } catch {
    return '';
  }
}

const bounded = (text: string): string => truncate(text, LONGEST_TEXT);

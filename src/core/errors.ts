/** Longest message or stack that is read of an error, in UTF-16 code units. */
const LONGEST_TEXT = 100_000;
/** Errors of an AggregateError whose messages are shown. */
const MOST_CAUSES = 3;

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
  if (!isObject(error)) return bounded(String(error)) || 'an empty string was thrown';
  const message = textOf(error, 'message');
  if (message !== '') return message;
  return messagesOf(propertyOf(error, 'errors')) || errorName(error) || `a value of type ${typeof error} was thrown`;
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

/** Returns the code of an error of Node or of a library, such as `ENOENT`; undefined if it has none. Never throws. */
export function errorCode(error: unknown): string | undefined {
  const code = isObject(error) ? propertyOf(error, 'code') : undefined;
  return typeof code === 'string' ? bounded(code) : undefined;
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

function textOf(value: object, key: string): string {
  const text = propertyOf(value, key);
  return typeof text === 'string' ? bounded(text) : '';
}

function messagesOf(errors: unknown): string {
  try {
    if (!Array.isArray(errors)) return '';
    return [...new Set(errors.slice(0, MOST_CAUSES).map((error) => textOf(Object(error), 'message')))]
      .filter((message) => message !== '')
      .join('; ');
  } catch {
    return '';
  }
}

const bounded = (text: string): string =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).toWellFormed()}…` : text;

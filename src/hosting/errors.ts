import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorMessage, errorName, errorStack, isInstance, propertyOf } from '../core/index.ts';
import { isOrsError, OrsError, type OrsErrorCode } from '../protocol/index.ts';

/** The environment did not respond because its worker is lost. The host of the worker logs the reason once. */
export class WorkerLostError extends OrsError {
  /** Reason as part of a sentence: `its worker ended`. */
  readonly why: string;

  constructor(why: string) {
    super('unavailable', `the environment did not respond: ${why}`);
    this.why = why;
  }
}

/** An error that author code threw in another thread. */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';

  constructor({ message, stack }: ErrorDescription) {
    super(message);
    this.stack = stack;
  }
}

/** Texts that describe a thrown value. */
export interface ErrorDescription {
  readonly message: string;
  /** The message with its stack. */
  readonly stack: string;
}

/** Describes a value that author code threw. Never throws, and never returns an empty text. */
export function describeThrown(error: unknown, level: keyof ErrorDescription | 'place'): string {
  if (level === 'place') {
    const place = isInstance(error, Error) ? placeOf(errorStack(error)) : undefined;
    return `${describeThrown(error, 'message')}${place === undefined ? '' : ` (${place})`}`;
  }
  if (!isInstance(error, Error)) {
    const isText = typeof error === 'string' && error !== '';
    return `the environment threw ${isText ? errorMessage(error) : `a value of type ${typeof error}`}`;
  }
  if (level === 'stack' && propertyOf(error, 'stack')) return errorStack(error);
  const message = propertyOf(error, 'message') ? errorMessage(error) : '';
  if (isInstance(error, RemoteError) && message !== '') return message;
  const name = errorName(error) === 'OutputError' ? 'invalid output' : errorName(error);
  return [name, message].filter((part) => part !== '').join(': ') || 'the environment failed';
}

/** Folder of the code of this package. */
const OWN_FOLDER = fileURLToPath(new URL('../', import.meta.url));

/** Returns `environment.ts:15:24`, the first place of a stack that is neither in a package nor in Node. */
function placeOf(stack: string): string | undefined {
  for (const [, file = '', position] of stack.matchAll(
    /^ +at .*?(?:file:\/\/)?(\/[^()\n]+?)(?:\?[^()\n]*?)?(:\d+:\d+)\)?$/gm,
  )) {
    if (!file.includes('/node_modules/') && !file.startsWith(OWN_FOLDER)) return `${relative('', file)}${position}`;
  }
  return undefined;
}

export const toErrorDescription = (error: unknown): ErrorDescription => ({
  message: describeThrown(error, 'message'),
  stack: describeThrown(error, 'stack'),
});

/** An error in a message between threads. */
export type SerializedError =
  | { readonly kind: 'ors'; readonly code: OrsErrorCode; readonly message: string; readonly cause?: ErrorDescription }
  | { readonly kind: 'thrown'; readonly thrown: ErrorDescription };

export function serializeError(error: unknown): SerializedError {
  if (!isOrsError(error)) return { kind: 'thrown', thrown: toErrorDescription(error) };
  const { code, message, cause } = error;
  return { kind: 'ors', code, message, ...(cause !== undefined && { cause: toErrorDescription(cause) }) };
}

export function deserializeError(failure: SerializedError): Error {
  if (failure.kind === 'thrown') return new RemoteError(failure.thrown);
  const { code, message, cause } = failure;
  return new OrsError(code, message, cause && { cause: new RemoteError(cause) });
}

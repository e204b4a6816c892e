import { errorMessage, errorName, errorStack, isInstance, propertyOf } from '../core/index.ts';

/** What an author's code threw in another thread, as it was described there. */
export class RemoteError extends Error {
  override readonly name = 'ThrownElsewhere';

  constructor({ message, stack }: ErrorDescription) {
    super(message);
    this.stack = stack;
  }
}

/** A thrown value in words. */
export interface ErrorDescription {
  readonly message: string;
  /** The same with where it comes from. */
  readonly stack: string;
}

/** Describes what an author's code threw. Never throws, and is never empty. */
export function describeThrown(error: unknown, level: keyof ErrorDescription): string {
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

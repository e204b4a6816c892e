/** What an author's code threw in another thread, as it was described there. */
export class ThrownElsewhere extends Error {
  override readonly name = 'ThrownElsewhere';

  constructor({ message, stack }: Description) {
    super(message);
    this.stack = stack;
  }
}

/** A thrown value in words. */
export interface Description {
  readonly message: string;
  /** The same with where it comes from. */
  readonly stack: string;
}

const UNKNOWN = 'the environment failed';

/** Anything can be thrown, also what fails when it is looked at. Never empty. */
export function describeThrown(error: unknown, level: keyof Description): string {
  try {
    return (error instanceof Error ? describeError(error, level) : describeValue(error)) || UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

function describeError(error: Error, level: keyof Description): string {
  if (level === 'stack' && typeof error.stack === 'string') return error.stack;
  if (error instanceof ThrownElsewhere) return error.message;
  const name = error.name === 'OutputError' ? 'invalid output' : String(error.name);
  return error.message ? `${name}: ${error.message}` : name;
}

const describeValue = (thrown: unknown) =>
  `the environment threw ${typeof thrown === 'string' && thrown !== '' ? thrown : `a value of type ${typeof thrown}`}`;

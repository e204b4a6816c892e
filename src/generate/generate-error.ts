/** What keeps files from being generated, in a sentence for the person who asked for them. */
export class GenerateError extends Error {
  override readonly name: string = 'GenerateError';
}

/** A package that only generating needs is not installed; the message says how to install it. */
export class MissingPackageError extends GenerateError {
  override readonly name = 'MissingPackageError';
}

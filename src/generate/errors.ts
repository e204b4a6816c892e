import { isMissingPackage } from '../core/index.ts';

/** Files cannot be generated; the message is meant for the user. */
export class GenerateError extends Error {
  override readonly name: string = 'GenerateError';
}

/** A package that only `generate` needs is not installed. */
export class MissingPackageError extends GenerateError {
  override readonly name = 'MissingPackageError';
}

/**
 * Loads an optional package.
 *
 * @throws MissingPackageError with the command that installs it, if it is missing.
 */
export async function loadOptionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (isMissingPackage(error, name)) {
      throw new MissingPackageError(`ors generate needs ${name}; install it with: npm install ${name}`, {
        cause: error,
      });
    }
    throw error;
  }
}

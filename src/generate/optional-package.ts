import { MissingPackageError } from './generate-error.ts';

/**
 * Loads a package that only generating needs, so that everybody else can do without it.
 *
 * @throws {MissingPackageError} If the package is not installed; the message says how to install it.
 */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (isMissing(error, name)) {
      throw new MissingPackageError(`ors generate needs ${name}; install it with: npm install ${name}`, {
        cause: error,
      });
    }
    throw error;
  }
}

function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && message.includes(`'${name}'`);
}

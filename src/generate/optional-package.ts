import { isMissingPackage } from '../core/index.ts';
import { MissingPackageError } from './generate-error.ts';

/**
 * Loads a package that only generating needs, so that everybody else can do without it.
 *
 * @throws {MissingPackageError} If the package is not installed; the message says how to install it.
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

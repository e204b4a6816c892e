import { errorMessage, hasCode } from './errors.ts';

/**
 * Returns true if an import failed because this package is not installed. The code of the error is not enough: an installed
 * package may lack one of its dependencies.
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

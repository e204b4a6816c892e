import { isMissingPackage } from '../../core/index.ts';

/**
 * Loads a package that users bring along.
 *
 * @throws Error that says what to install, where it is missing.
 */
export async function loadOptionalPackage<T>(name: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissingPackage(error, name)) throw error;
    throw new Error(`${purpose} needs the package ${name}: npm install ${name}`, { cause: error });
  }
}

/**
 * Loads a package that users bring along.
 *
 * @throws Error that says what to install, where it is missing.
 */
export async function optionalPackage<T>(name: string, purpose: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes(name)) throw error;
    throw new Error(`${purpose} needs the package ${name}: npm install ${name}`, { cause: error });
  }
}

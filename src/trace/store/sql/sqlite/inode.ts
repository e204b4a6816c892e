import { stat } from 'node:fs/promises';

/** What tells the file at a path from another one there later; undefined where there is none. */
export async function inodeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).ino;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

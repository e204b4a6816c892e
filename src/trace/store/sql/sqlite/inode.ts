import { stat } from 'node:fs/promises';
import { errorCode } from '../../../../core/index.ts';

/** What tells the file at a path from another one there later; undefined where there is none. */
export async function inodeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).ino;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

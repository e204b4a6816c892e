import { type FileHandle, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { errorCode, errorMessage, hasCode } from '../index.ts';

/**
 * Creates or replaces a file. Readers find either the old or the new content, even after a crash: the new content is
 * written to `<path>.new`, flushed to disk, and renamed. If that fails, the old content stays.
 *
 * Callers must ensure that only one process at a time replaces a file.
 *
 * @param mode permissions of the file. @default 0o666 without the umask of the process
 */
export async function replaceFile(path: string, content: string, mode = 0o666): Promise<void> {
  const temporary = `${path}.new`;
  try {
    const file = await open(temporary, 'w', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/**
 * Creates a file. If writing fails, for example on a full disk, the file is removed.
 *
 * @returns false if the file already exists; it stays unchanged.
 */
export async function createFile(path: string, content: string | Uint8Array): Promise<boolean> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx');
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    await file.writeFile(content);
    return true;
  } catch (error) {
    await unlink(path).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
}

/**
 * Creates a folder and its missing parents, one by one: with `recursive`, `mkdir` never ends on some file systems that
 * reject folders.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let folder = resolve(path); !(await exists(folder)) && folder !== dirname(folder); folder = dirname(folder)) {
    missing.unshift(folder);
  }
  for (const folder of missing) {
    await mkdir(folder).catch((error: unknown) => {
      // Another process may have created it meanwhile.
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  }
}

const exists = async (path: string): Promise<boolean> => (await unlessMissing(stat(path), undefined)) !== undefined;

/** Returns the result of a file operation, or `otherwise` if the file does not exist. */
export async function unlessMissing<T, Other>(operation: Promise<T>, otherwise: Other): Promise<T | Other> {
  try {
    return await operation;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return otherwise;
    throw error;
  }
}

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist; check the path',
  ENOTDIR: 'a part of its path is not a folder; check the path',
  EISDIR: 'it is a folder; pass a file',
  EACCES: 'permission denied; run ls -l to see who may access it',
  EROFS: 'the file system is read-only; choose another place',
  ENOSPC: 'the disk is full; free some space',
};

/**
 * Describes why a file or folder cannot be read or written, with a remedy if there is one.
 *
 * @param action a file that is written is missing only if its folder is. @default 'read'
 */
export function fileProblem(error: unknown, action: 'read' | 'write' = 'read'): string {
  if (action === 'write' && hasCode(error, 'ENOENT')) return 'its folder does not exist; check the path';
  return FILE_PROBLEMS[errorCode(error) ?? ''] ?? errorMessage(error);
}

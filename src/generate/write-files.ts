import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, errorMessage } from '../core/index.ts';
import { makeFolder } from '../core/node/index.ts';
import { GenerateError } from './generate-error.ts';
import type { GeneratedFile } from './generated-file.ts';

/**
 * Writes files into a folder, which is made if it is not there.
 *
 * @throws {GenerateError} If the folder cannot be written to.
 */
export async function writeFiles(folder: string, files: readonly GeneratedFile[]): Promise<void> {
  try {
    await makeFolder(folder);
    for (const { name, text } of files) await writeFile(join(folder, name), text);
  } catch (error) {
    const reason = errorCode(error) ?? errorMessage(error);
    throw new GenerateError(`cannot write into ${folder}: ${reason}; choose another folder with --out`, {
      cause: error,
    });
  }
}

/** Names the files whose text in the folder differs or that are not there. */
export async function staleFiles(folder: string, files: readonly GeneratedFile[]): Promise<string[]> {
  const stale: string[] = [];
  for (const { name, text } of files) {
    const there = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (there !== text) stale.push(join(folder, name));
  }
  return stale;
}

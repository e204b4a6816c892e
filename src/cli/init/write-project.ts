import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage, hasCode, joinWords, oneLine } from '../../core/index.ts';
import { createFile, makeFolder, unlessMissing } from '../../core/node/index.ts';
import { CliError } from '../failure.ts';
import type { ProjectFile } from './project.ts';

const MAX_SHOWN = 5;

/** What came of each file. */
export interface WrittenProject {
  readonly written: readonly string[];
  /** Were there, and are as they were. */
  readonly kept: readonly string[];
}

/** Refuses a folder in which there is something; the history of git does not count. @throws Failure naming what is there. */
export async function assertEmptyFolder(folder: string): Promise<void> {
  const there = (await listed(folder)).filter((name) => name !== '.git');
  if (there.length === 0) return;
  const names = joinWords(
    there.map((name) => `'${oneLine(name)}'`),
    { max: MAX_SHOWN },
  );
  const advice = 'name another folder, or add the files that are not there with --force';
  throw new CliError(`the folder '${oneLine(folder)}' is not empty: it has ${names}; ${advice}`);
}

async function listed(folder: string): Promise<string[]> {
  try {
    return (await unlessMissing(readdir(folder), [])).sort();
  } catch (error) {
    if (hasCode(error, 'ENOTDIR')) throw new CliError(`'${oneLine(folder)}' is a file; name a folder`);
    throw error;
  }
}

/** Writes files that are not there yet; none is ever written over. @throws Failure naming what cannot be written. */
export async function writeProject(folder: string, files: readonly ProjectFile[]): Promise<WrittenProject> {
  const written: string[] = [];
  const kept: string[] = [];
  for (const { path, text } of files) {
    const isNew = await writeNew(join(folder, path), text);
    (isNew ? written : kept).push(path);
  }
  return { written, kept };
}

async function writeNew(path: string, text: string): Promise<boolean> {
  try {
    await makeFolder(dirname(path));
    return await createFile(path, text);
  } catch (error) {
    throw new CliError(`'${oneLine(path)}' cannot be written: ${errorMessage(error)}`, { cause: error });
  }
}

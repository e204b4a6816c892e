import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { orsInProcess } from '../support/command-in-process.ts';

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url));

/** Result of a run of the command. */
export interface Outcome {
  readonly exitCode: number;
  readonly stderr: string;
}

/** Folder inside the checkout, so that its files can import the packages; deleted when disposed of. */
export interface Workshop extends AsyncDisposable {
  readonly folder: string;
  readonly path: (name: string) => string;
  readonly write: (name: string, text: string) => Promise<string>;
}

export async function workshop(): Promise<Workshop> {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'generate-'));
  const path = (name: string): string => join(folder, name);
  return {
    folder,
    path,
    write: async (name, text) => {
      await writeFile(path(name), text);
      return path(name);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** Runs `ors generate` in this process. */
export async function orsGenerate(...words: string[]): Promise<Outcome> {
  const { code, stderr } = await orsInProcess(['generate', ...words]);
  return { exitCode: Number(code), stderr };
}

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateCommand } from '../../src/cli/commands/generate.ts';

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

/** Runs `ors generate`, as the command line does. */
export async function orsGenerate(...words: string[]): Promise<Outcome> {
  let stderr = '';
  const command = generateCommand()
    .exitOverride()
    .configureOutput({ writeErr: (text) => (stderr += text), writeOut: () => {} });
  try {
    await command.parseAsync(words, { from: 'user' });
    return { exitCode: 0, stderr };
  } catch (error) {
    return { exitCode: (error as { exitCode: number }).exitCode, stderr };
  }
}

import { once } from 'node:events';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { safeLines } from './terminal.ts';

/** Output for long texts or bytes; each write resolves when there is room for more. */
export interface TextOutput extends AsyncDisposable {
  write(content: string | Uint8Array): Promise<void>;
  /** Completes the output. */
  finish(): Promise<void>;
}

/** Opens standard output for lines of JSON; on a terminal, control characters are escaped. */
export function openStandardOutput(stream: NodeJS.WriteStream = process.stdout): TextOutput {
  // Bound now: `redirectStdout` replaces the method.
  const write = stream.write.bind(stream);
  return {
    async write(content) {
      const safe = stream.isTTY && typeof content === 'string' ? safeLines(content) : content;
      if (!write(safe)) await once(stream, 'drain');
    },
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Name of a file while it is being written. */
export const partialPath = (path: string): string => `${path}.part`;

/** Opens a file that gets its name once it is complete and on disk; until then it is `<name>.part`. */
export async function openFileOutput(path: string): Promise<TextOutput> {
  let file: FileHandle | undefined = await open(partialPath(path), 'w');
  const close = async () => {
    await file?.close();
    file = undefined;
  };
  return {
    async write(content) {
      await file?.appendFile(content);
    },
    async finish() {
      await file?.sync();
      await close();
      await rename(partialPath(path), path);
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The same, but an incomplete file is deleted. */
export async function openAtomicFile(path: string): Promise<TextOutput> {
  const output = await openFileOutput(path);
  return {
    ...output,
    async [Symbol.asyncDispose]() {
      await output[Symbol.asyncDispose]();
      await rm(partialPath(path), { force: true });
    },
  };
}

import { once } from 'node:events';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { safeLines } from '../terminal/safe-json.ts';

/** Where much text goes; each write resolves when there is room for more. */
export interface TextOutput extends AsyncDisposable {
  write(text: string): Promise<void>;
  /** All is written. */
  finish(): Promise<void>;
}

/** Lines of JSON on standard output; on a terminal nothing in them can act on it. */
export function openStandardOutput(stream: NodeJS.WriteStream = process.stdout): TextOutput {
  return {
    async write(text) {
      if (!stream.write(stream.isTTY ? safeLines(text) : text)) await once(stream, 'drain');
    },
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The name under which a file grows. */
export const partialPath = (path: string): string => `${path}.part`;

/** A file that has its name only once it is whole and on disk; until then it is `<name>.part`. */
export async function openFileOutput(path: string): Promise<TextOutput> {
  let file: FileHandle | undefined = await open(partialPath(path), 'w');
  const close = async () => {
    await file?.close();
    file = undefined;
  };
  return {
    async write(text) {
      await file?.appendFile(text);
    },
    async finish() {
      await file?.sync();
      await close();
      await rename(partialPath(path), path);
    },
    [Symbol.asyncDispose]: close,
  };
}

import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { safeLines } from '../terminal/safe-json.ts';
import { openFileOutput, partialPath, type TextOutput } from '../traces/text-output.ts';

/** Standard output as it is now, whoever replaces its `write` later. */
export function captureStandardOutput(stream: NodeJS.WriteStream = process.stdout): TextOutput {
  const write = stream.write.bind(stream);
  return {
    async write(text) {
      if (!write(stream.isTTY ? safeLines(text) : text)) await once(stream, 'drain');
    },
    finish: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

/** A file that is replaced when the new one is whole; of one that is not, nothing stays. */
export async function createAtomicFile(path: string): Promise<TextOutput> {
  const output = await openFileOutput(path);
  return {
    ...output,
    async [Symbol.asyncDispose]() {
      await output[Symbol.asyncDispose]();
      await rm(partialPath(path), { force: true });
    },
  };
}

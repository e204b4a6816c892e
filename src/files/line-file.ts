import { type FileHandle, open } from 'node:fs/promises';

/** A file of lines that grows. */
export interface LineFile {
  /** The lines that were there when it was opened. */
  readonly lines: readonly string[];
  /** Resolves when the line is on disk; lines that wait are written together. */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  readonly line: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** Opens or makes a file. A last line that was not written to its end is taken away: nobody was told that it is there. */
export async function openLineFile(path: string): Promise<LineFile> {
  const file = await open(path, 'a+');
  try {
    const text = await file.readFile('utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) await file.truncate(Buffer.byteLength(whole));
    return { lines: whole.split('\n').slice(0, -1), ...createWriter(file) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function createWriter(file: FileHandle) {
  let waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await file.appendFile(batch.map(({ line }) => `${line}\n`).join(''));
        await file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    writing = undefined;
  }

  return {
    append: (line: string) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ line, resolve, reject });
        writing ??= write();
      }),
    async close() {
      await writing;
      await file.close();
    },
  };
}

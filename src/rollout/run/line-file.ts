import { type FileHandle, open } from 'node:fs/promises';
import { withoutByteOrderMark } from '../../core/index.ts';

/** A file to which lines are appended. */
export interface LineFile {
  /** The lines that the file had when it was opened. */
  readonly lines: readonly string[];
  /** Resolves when the line is on disk. Waiting lines are written together; if that fails, all of them are removed. */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

interface PendingLine {
  readonly line: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** Opens or creates a file. Ignores a byte order mark; removes an incomplete last line, whose `append` has not resolved. */
export async function openLineFile(path: string): Promise<LineFile> {
  const file = await open(path, 'a+');
  try {
    const bytes = await file.readFile();
    const size = bytes.lastIndexOf('\n') + 1;
    if (size < bytes.length) await file.truncate(size);
    const lines = withoutByteOrderMark(bytes.subarray(0, size).toString()).split('\n').slice(0, -1);
    return { lines, ...createWriter(file, size) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @param size size of the lines on disk, in bytes. */
function createWriter(file: FileHandle, size: number) {
  let waiting: PendingLine[] = [];
  let writing: Promise<void> | undefined;
  let isTorn = false;

  async function writeAll(text: string): Promise<void> {
    // Removes an incomplete write, for example after the disk was full.
    if (isTorn) await file.truncate(size);
    isTorn = true;
    await file.appendFile(text);
    await file.datasync();
    isTorn = false;
    size += Buffer.byteLength(text);
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await writeAll(batch.map(({ line }) => `${line}\n`).join(''));
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
      if (isTorn) await file.truncate(size).catch(() => undefined);
      await file.close();
    },
  };
}

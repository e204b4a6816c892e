import { type FileHandle, open } from 'node:fs/promises';
import { isRecord, Mutex, tryParseJson } from '../../core/index.ts';
import { lockFile, replaceFile } from '../../core/node/index.ts';
import { toBase64 } from '../../protocol/index.ts';
import type { SerializedContent } from '../fit/index.ts';
import type { TraceJob } from './job.ts';
import type { OpenSpool, Spool, SpooledJob } from './spool.ts';

/** The file is written anew when it is so large, and most of it is struck out. */
const COMPACT_BYTES = 16 * 1024 * 1024;

/**
 * A spool in a file: a line of JSON for each job, and lines that name what is struck out. It is on disk when `add`
 * settles. A last line that was not written to its end is taken away, and one in the middle that cannot be read is told.
 *
 * @throws Error for a file that another process uses, or that is no spool.
 */
export const openFileSpool: OpenSpool = async (path, onError) => {
  const unlock = await lockFile(path, 'give each process a spool of its own');
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'a+', 0o600);
    const text = await file.readFile('utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const left = readLines(path, whole, onError);
    const size = Buffer.byteLength(whole);
    if (whole.length < text.length) await file.truncate(size);
    return new FileSpool(path, file, left, size, { onError, unlock });
  } catch (error) {
    await file?.close();
    await unlock();
    throw error;
  }
};

interface FileSpoolContext {
  readonly onError: (cause: unknown) => void;
  readonly unlock: () => Promise<void>;
}

class FileSpool implements Spool {
  readonly pending: readonly SpooledJob[];
  readonly #path: string;
  readonly #surroundings: FileSpoolContext;
  /** The line of each job that is not struck out. */
  readonly #lines = new Map<string, string>();
  #file: FileHandle;
  #size: number;
  #pending: string[] = [];
  #removed: string[] = [];
  readonly #adding = new Mutex();
  #writing: Promise<void> | undefined;

  /** @param size of the file, in bytes. */
  constructor(
    path: string,
    file: FileHandle,
    left: ReadonlyMap<string, string>,
    size: number,
    context: FileSpoolContext,
  ) {
    this.#path = path;
    this.#file = file;
    this.#surroundings = context;
    this.#lines = new Map(left);
    this.pending = [...left.values()].map((line) => JSON.parse(line) as SpooledJob);
    this.#size = size;
  }

  add(
    job: Pick<TraceJob, 'kind' | 'traceId' | 'key'>,
    content: SerializedContent | Promise<SerializedContent>,
  ): Promise<void> {
    const adding = this.#adding.run(async () => {
      const [made] = await Promise.allSettled([content]);
      // What cannot be made is not sent either, and whoever logged it learns of that.
      if (made.status === 'rejected') return;
      const line = lineOf(job, made.value);
      this.#lines.set(job.key, line);
      this.#pending.push(line);
    });
    return adding.then(() => this.#write());
  }

  remove(key: string): void {
    if (!this.#lines.delete(key)) return;
    this.#removed.push(key);
    void this.#write();
  }

  async close(): Promise<void> {
    await this.#adding.idle();
    await this.#write();
    await this.#file.close();
    await this.#surroundings.unlock();
  }

  /** Writes all that is there when the write before has ended. */
  async #write(): Promise<void> {
    const before = this.#writing;
    if (before) {
      await before;
      // Another one may have come first, and has taken this along.
      if (this.#writing !== before) return this.#writing;
    }
    this.#writing = this.#flush().catch((error: unknown) => this.#surroundings.onError(error));
    return this.#writing;
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0 && this.#removed.length === 0) return;
    const strikes = this.#removed.length > 0 ? `${JSON.stringify({ done: this.#removed })}\n` : '';
    const [pending, struck] = [this.#pending, this.#removed];
    const text = pending.join('') + strikes;
    this.#pending = [];
    this.#removed = [];
    if (this.#lines.size === 0) {
      await this.#file.truncate(0);
      this.#size = 0;
      return;
    }
    try {
      await this.#file.appendFile(text);
    } catch (error) {
      // What was written of it would be the beginning of the next line.
      await this.#file.truncate(this.#size).catch(() => undefined);
      this.#pending = [...pending, ...this.#pending];
      this.#removed = [...struck, ...this.#removed];
      throw error;
    }
    this.#size += Buffer.byteLength(text);
    if (this.#size > COMPACT_BYTES) await this.#compact();
    await this.#file.datasync();
  }

  async #compact(): Promise<void> {
    const text = [...this.#lines.values()].join('');
    if (text.length > this.#size / 2) return;
    await replaceFile(this.#path, text, 0o600);
    const file = await open(this.#path, 'a');
    await this.#file.close();
    this.#file = file;
    this.#size = Buffer.byteLength(text);
  }
}

function lineOf(
  { kind, traceId, key }: Pick<TraceJob, 'kind' | 'traceId' | 'key'>,
  { text, blobs }: SerializedContent,
): string {
  const job: SpooledJob = {
    kind,
    trace_id: traceId,
    key,
    text,
    blobs: blobs.map(({ sha256, media_type, data }) => ({ sha256, media_type, base64: toBase64(data) })),
  };
  return `${JSON.stringify(job)}\n`;
}

/** The lines that are not struck out, by key. @throws Error for a file that has no line of a spool. */
function readLines(path: string, text: string, onError: (cause: unknown) => void): Map<string, string> {
  const lines = new Map<string, string>();
  const strange: number[] = [];
  let known = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const parsed = tryParseJson(line);
    const value = isRecord(parsed) ? parsed : {};
    if (Array.isArray(value.done)) for (const key of value.done) lines.delete(String(key));
    else if (typeof value.key === 'string' && typeof value.text === 'string') lines.set(value.key, `${line}\n`);
    else strange.push(index + 1);
    known = index + 1 - strange.length;
  }
  if (strange.length === 0) return lines;
  if (known === 0)
    throw new Error(`${path}: line ${strange[0]} is not of a spool; move the file away, or name another`);
  onError(new Error(`${path}: lines that cannot be read are passed over: ${strange.slice(0, 10).join(', ')}`));
  return lines;
}

import { type FileHandle, open } from 'node:fs/promises';
import { isRecord, Mutex, tryParseJson } from '../../core/index.ts';
import { lockFile, replaceFile } from '../../core/node/index.ts';
import { toBase64 } from '../../protocol/index.ts';
import type { SerializedContent } from '../fit/index.ts';
import type { Spool, SpooledJob, TraceJob } from './jobs.ts';

/** A larger file is compacted if most of its jobs are removed. */
const COMPACT_BYTES = 16 * 1024 * 1024;

/**
 * Opens a spool in a file with one line of JSON per job, and lines with the keys of removed jobs. An incomplete last line
 * is truncated; unreadable lines before it are reported and skipped.
 *
 * @param onError receives write errors; the write is repeated with the next job.
 * @throws Error if another process uses the file, or it is not a spool.
 */
export async function openFileSpool(path: string, onError: (cause: unknown) => void): Promise<Spool> {
  const unlock = await lockFile(path, 'use a separate spool for each process');
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'a+', 0o600);
    const text = await file.readFile('utf8');
    const complete = text.slice(0, text.lastIndexOf('\n') + 1);
    const lines = readLines(path, complete, onError);
    const size = Buffer.byteLength(complete);
    if (complete.length < text.length) await file.truncate(size);
    return new FileSpool(path, file, lines, size, { onError, unlock });
  } catch (error) {
    await file?.close();
    await unlock();
    throw error;
  }
}

interface FileSpoolContext {
  readonly onError: (cause: unknown) => void;
  readonly unlock: () => Promise<void>;
}

/** Keeps jobs on disk until they are delivered, so that they survive the process. */
class FileSpool implements Spool {
  readonly pending: readonly SpooledJob[];
  readonly #path: string;
  readonly #context: FileSpoolContext;
  /** Line of each job that is not removed, by key. */
  readonly #lines: Map<string, string>;
  #file: FileHandle;
  #size: number;
  #pending: string[] = [];
  #removed: string[] = [];
  readonly #adding = new Mutex();
  #writing: Promise<void> | undefined;

  /** @param size of the file, in bytes. */
  constructor(path: string, file: FileHandle, lines: Map<string, string>, size: number, context: FileSpoolContext) {
    this.#path = path;
    this.#file = file;
    this.#context = context;
    this.#lines = lines;
    this.pending = [...lines.values()].map((line) => JSON.parse(line) as SpooledJob);
    this.#size = size;
  }

  async add(job: TraceJob): Promise<void> {
    await this.#adding.run(async () => {
      const [result] = await Promise.allSettled([job.content]);
      // The queue reports the failure when it sends the job.
      if (result.status === 'rejected') return;
      const line = lineOf(job, result.value);
      this.#lines.set(job.key, line);
      this.#pending.push(line);
    });
    await this.#write();
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
    await this.#context.unlock();
  }

  /** Writes all pending lines when the previous write has ended. */
  async #write(): Promise<void> {
    const before = this.#writing;
    if (before) {
      await before;
      // Another caller has started a write meanwhile, which includes these lines.
      if (this.#writing !== before) return this.#writing;
    }
    this.#writing = this.#flush().catch((error: unknown) => this.#context.onError(error));
    return this.#writing;
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0 && this.#removed.length === 0) return;
    const pending = this.#pending;
    const removed = this.#removed;
    const text = pending.join('') + (removed.length > 0 ? `${JSON.stringify({ done: removed })}\n` : '');
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
      // A partial line would become the start of the next one.
      await this.#file.truncate(this.#size).catch(() => undefined);
      this.#pending = [...pending, ...this.#pending];
      this.#removed = [...removed, ...this.#removed];
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

function lineOf({ kind, traceId, key }: TraceJob, { text, blobs }: SerializedContent): string {
  const job: SpooledJob = {
    kind,
    trace_id: traceId,
    key,
    text,
    blobs: blobs.map(({ sha256, media_type, data }) => ({ sha256, media_type, base64: toBase64(data) })),
  };
  return `${JSON.stringify(job)}\n`;
}

/** Returns the lines of jobs that are not removed, by key. @throws Error if the file is not a spool. */
function readLines(path: string, text: string, onError: (cause: unknown) => void): Map<string, string> {
  const lines = new Map<string, string>();
  const unreadable: number[] = [];
  let known = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') continue;
    const parsed = tryParseJson(line);
    const value = isRecord(parsed) ? parsed : {};
    if (Array.isArray(value.done)) for (const key of value.done) lines.delete(String(key));
    else if (typeof value.key === 'string' && typeof value.text === 'string') lines.set(value.key, `${line}\n`);
    else unreadable.push(index + 1);
    known = index + 1 - unreadable.length;
  }
  if (unreadable.length === 0) return lines;
  if (known === 0)
    throw new Error(`${path} is not a spool: line ${unreadable[0]} is invalid; move the file away or choose another`);
  onError(new Error(`${path}: skipped unreadable lines: ${unreadable.slice(0, 10).join(', ')}`));
  return lines;
}

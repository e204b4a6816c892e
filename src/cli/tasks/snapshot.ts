import { createHash } from 'node:crypto';
import { sum } from '../../core/index.ts';
import type { TextOutput } from '../traces/text-output.ts';
import { headerLine, rowLine, type TasksHeader } from './manifest.ts';
import type { TaskReader } from './task-source.ts';

/** As much text as is written at once. */
const CHUNK = 1 << 16;

/** What was written. */
export interface SnapshotReport extends TasksHeader {
  /** Of all splits together. */
  readonly tasks: number;
  /** SHA-256 of the splits' names and the tasks' hashes: the same for the same tasks in the same order. */
  readonly digest: string;
}

export interface SnapshotOptions {
  readonly hashesOnly: boolean;
  readonly takenAt: string;
  readonly onProgress: (done: number, all: number) => void;
}

/** Writes the manifest of a source. No more than a page of tasks is held. */
export async function writeSnapshot(
  source: TaskReader,
  output: TextOutput,
  { hashesOnly, takenAt, onProgress }: SnapshotOptions,
): Promise<SnapshotReport> {
  const { header } = source;
  const all = sum(header.splits.map(({ tasks }) => tasks));
  const digest = createHash('sha256');
  let done = 0;
  let text = headerLine(header, takenAt);
  onProgress(0, all);
  for await (const { task, ...row } of source.rows(new Set(header.splits.map(({ name }) => name)))) {
    text += rowLine(hashesOnly || task === undefined ? row : { ...row, task });
    digest.update(`${row.hash} ${JSON.stringify(row.split)}\n`);
    onProgress(++done, all);
    if (text.length < CHUNK) continue;
    await output.write(text);
    text = '';
  }
  await output.write(text);
  await output.finish();
  return { ...header, tasks: all, digest: digest.digest('hex') };
}

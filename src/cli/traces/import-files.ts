import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { ImportReport } from '../../../generated/trace.ts';
import { type ImportTarget, importTraces } from '../../trace/api/index.ts';
import type { ImportFormat } from '../../trace/formats/index.ts';
import type { TraceLimits } from '../../trace/model/index.ts';
import { CliError } from '../failure.ts';
import type { ProgressBar } from '../terminal/progress.ts';

/** Report of an import of files; `failed` lists the first thousand. */
export interface FilesReport extends Omit<Required<ImportReport>, 'failed'> {
  failed: FailedImport[];
}

export type FailedImport = ImportReport['failed'][number] & { readonly file: string };

interface ImportFilesOptions {
  /** Bytes of the files, if they are known. */
  readonly all: number | undefined;
  readonly format: ImportFormat;
  readonly limits: TraceLimits;
  readonly signal: AbortSignal;
  readonly progress: ProgressBar;
  readonly report: FilesReport;
  readonly onFailed: (failed: FailedImport) => unknown;
}

const MAX_LISTED = 1000;
const STANDARD_INPUT = '-';

export const emptyReport = (): FilesReport => ({ traces: 0, blocks: 0, replayed: 0, failed_count: 0, failed: [] });

/**
 * Imports one file after the other, and keeps the report true all the while; an interrupt ends it after the trace that is
 * being written.
 */
export async function importFiles(
  files: readonly string[],
  target: ImportTarget,
  { all, format, limits, signal, progress, onFailed, report }: ImportFilesOptions,
): Promise<void> {
  let read = 0;
  const onBytes = (count: number) => {
    read += count;
    progress.show(read, all);
  };
  for (const file of files) {
    const text = counted(file === STANDARD_INPUT ? process.stdin : createReadStream(file), onBytes, signal);
    for await (const outcome of importTraces(target, { text, format, limits })) {
      if (outcome.failed) {
        const failed = { file: file === STANDARD_INPUT ? 'standard input' : file, ...outcome.failed };
        report.failed_count++;
        if (report.failed.length < MAX_LISTED) report.failed.push(failed);
        onFailed(failed);
      } else {
        report.traces++;
        report.blocks += outcome.written;
        report.replayed += outcome.replayed;
      }
      signal.throwIfAborted();
    }
  }
}

/** All of them together; undefined where one is standard input. @throws Failure for a file that cannot be read. */
export async function totalFileSize(files: readonly string[]): Promise<number | undefined> {
  let bytes = 0;
  for (const file of files.filter((name) => name !== STANDARD_INPUT)) {
    const found = await stat(file).catch((cause: Error) => {
      throw new CliError(`the file ${file} cannot be read: ${cause.message}`, { cause });
    });
    if (found.isDirectory()) throw new CliError(`${file} is a folder; name the files in it`);
    bytes += found.size;
  }
  return files.includes(STANDARD_INPUT) ? undefined : bytes;
}

async function* counted(stream: Readable, onBytes: (count: number) => void, signal: AbortSignal) {
  // What nobody writes into would be waited for.
  addAbortSignal(signal, stream);
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      onBytes(chunk.length);
      yield chunk;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

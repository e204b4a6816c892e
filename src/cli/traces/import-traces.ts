import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, type Readable } from 'node:stream';
import type { BatchReceipt, ImportReport } from '../../../generated/trace.ts';
import { type ImportTarget, importTraces } from '../../trace/api/index.ts';
import { type TraceApiRequester, TraceError } from '../../trace/client/index.ts';
import type { ImportFormat } from '../../trace/formats/index.ts';
import { type TraceErrorBody, type TraceLimits, TraceStoreError } from '../../trace/model/index.ts';
import { CliError } from '../failure.ts';
import type { ProgressBar } from '../terminal/progress.ts';

/** Report of an import; `failed` lists the first thousand failures. */
export interface FilesReport extends Omit<Required<ImportReport>, 'failed'> {
  failed: FailedImport[];
}

export type FailedImport = ImportReport['failed'][number] & { readonly file: string };

interface ImportFilesOptions {
  /** Total size of the files in bytes, if it is known. */
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
 * Imports one file after the other, updating the report after each trace; an interrupt ends it after the trace that is being
 * written.
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

/** Returns the total size, or undefined if standard input is included. @throws CliError if a file cannot be read. */
export async function totalFileSize(files: readonly string[]): Promise<number | undefined> {
  let bytes = 0;
  for (const file of files.filter((name) => name !== STANDARD_INPUT)) {
    const found = await stat(file).catch((cause: Error) => {
      throw new CliError(`cannot read ${file}: ${cause.message}`, { cause });
    });
    if (found.isDirectory()) throw new CliError(`${file} is a folder; pass the files in it`);
    bytes += found.size;
  }
  return files.includes(STANDARD_INPUT) ? undefined : bytes;
}

async function* counted(stream: Readable, onBytes: (count: number) => void, signal: AbortSignal) {
  // An idle standard input would block the interrupt.
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

/** Creates the target of an import that writes through the API. */
export const createRemoteImportTarget = (api: TraceApiRequester): ImportTarget => ({
  createTrace: (trace) => toStoreError(api.json('createTrace', { body: JSON.stringify(trace) })),
  readTrace: (traceId) => toStoreError(api.json('getTrace', { traceId })),
  async append(traceId, blocks) {
    const body = JSON.stringify({ blocks });
    // The response to a batch is receipts.
    return ((await toStoreError(api.json('appendBlocks', { traceId, body }))) as BatchReceipt).blocks;
  },
  putBlob: ({ sha256, media_type, data }) =>
    toStoreError(api.json('putBlob', { sha256, body: data, mediaType: media_type })),
});

/** Statuses that concern the imported content; every other failure ends the import. */
const CONTENT_ERRORS: readonly (number | null)[] = [404, 409, 410, 413, 422];

async function toStoreError<T>(response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof TraceError) || !CONTENT_ERRORS.includes(error.status)) throw error;
    const { code, status, message, details } = error;
    // Parsed from the error envelope.
    throw new TraceStoreError({ code, http_status: status, message, details } as TraceErrorBody);
  }
}

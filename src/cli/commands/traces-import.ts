import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import type { BatchReceipt, ImportReport } from '../../../generated/trace.ts';
import { oneLine, plural, stringifyJson } from '../../core/index.ts';
import { fileProblem } from '../../core/node/index.ts';
import { type ImportTarget, importTraces } from '../../trace/api/index.ts';
import { type TraceApiRequester, TraceError } from '../../trace/client/index.ts';
import { importFormats } from '../../trace/formats/index.ts';
import { readTraceLimits, type TraceErrorBody, TraceStoreError } from '../../trace/model/index.ts';
import { defineCommand } from '../command.ts';
import { CliError, EXIT } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { byteUnit, createProgressBar } from '../terminal/progress.ts';
import { openTerminal, safeJson } from '../terminal/terminal.ts';
import { openTraceAccess, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';

export const tracesImportCommand = defineCommand({
  name: 'import',
  arguments: [['<file...>', 'files to read; - is standard input']],
  flags: {
    '--format <format>': { help: 'format of the files', choices: importFormats, default: 'auto' },
    '--json': 'print the report as one JSON document',
    ...storeAccessFlags,
  },
  details: `Traces are written one after the other, with the validation of every write. Ids are kept, so importing a file again adds
only what is missing. Errors name the line of the invalid line, block or trace; everything else is imported. A jsonl
export contains no blobs: import into the store that has them, or read them with the API.
A file that --db names is created if it does not exist.`,
  exitCodes: {
    0: 'everything was imported',
    1: 'something was rejected',
    130: 'interrupted: everything in the report is on disk',
  },
  examples: [
    'ors traces import first-run.jsonl --db traces.db',
    'zcat runs/*.jsonl.gz | ors traces import - --url http://127.0.0.1:8090',
  ],
  report: reportTraceFailure,
  async run(files, { format, json, ...access }) {
    using interrupts = listenForInterrupts();
    const { signal } = interrupts;
    await using traces = await openTraceAccess(access, { mayCreate: true, signal });
    const all = await totalFileSize(files);
    const report: FilesReport = { traces: 0, blocks: 0, replayed: 0, failed_count: 0, failed: [] };
    try {
      using progress = createProgressBar(byteUnit);
      let read = 0;
      const onBytes = (count: number) => {
        read += count;
        progress.show(read, all);
      };
      const onFailed = (failed: FailedImport) => json || progress.printLine(`ors: ${failureLine(failed)}`);
      const target = createRemoteImportTarget(traces.api);
      const limits = readTraceLimits(process.env);
      for (const file of files) {
        const outcomes = importTraces(target, { text: openText(file, onBytes, signal), format, limits });
        await importFile(file, outcomes, { report, onFailed, signal });
      }
    } finally {
      openTerminal().print(json ? `${safeJson(report)}\n` : `${summary(report)}\n`);
    }
    if (report.failed_count > 0) process.exitCode = EXIT.failed;
  },
});

function failureLine({ file, line, trace_id, block_id, error }: FailedImport): string {
  const block = typeof block_id !== 'string' ? '' : ` block ${block_id} of`;
  const what = trace_id === null ? '' : `,${block} ${trace_id}`;
  // Errors about lines begin with the line.
  const reason = oneLine(error.message).replace(/^line \d+: /, '');
  return `${file} line ${line}${what}: not imported: ${reason}`;
}

function summary({ traces, blocks, replayed, failed_count }: FilesReport): string {
  const known = replayed === 0 ? '' : `; ${plural(replayed, 'block')} already stored`;
  const failed = failed_count === 0 ? '' : `; not imported: ${failed_count}`;
  return `imported ${plural(traces, 'trace')} with ${plural(blocks, 'new block')}${known}${failed}`;
}

/** Report of an import; `failed` lists the first thousand failures. */
interface FilesReport extends Omit<Required<ImportReport>, 'failed'> {
  failed: FailedImport[];
}

type FailedImport = ImportReport['failed'][number] & { readonly file: string };

interface ImportReceiver {
  readonly report: FilesReport;
  readonly onFailed: (failed: FailedImport) => unknown;
  readonly signal: AbortSignal;
}

const MAX_LISTED = 1000;
const STANDARD_INPUT = '-';

/** Adds the traces of a file to the report one by one; an interrupt ends it after the trace that is being written. */
async function importFile(
  file: string,
  outcomes: ReturnType<typeof importTraces>,
  { report, onFailed, signal }: ImportReceiver,
): Promise<void> {
  for await (const outcome of outcomes) {
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

/** Returns the total size, or undefined if standard input is included. @throws CliError if a file cannot be read. */
async function totalFileSize(files: readonly string[]): Promise<number | undefined> {
  let bytes = 0;
  for (const file of files.filter((name) => name !== STANDARD_INPUT)) {
    const found = await stat(file).catch((cause: Error) => {
      throw new CliError(`cannot read '${file}': ${fileProblem(cause)}`, { cause });
    });
    if (found.isDirectory()) throw new CliError(`'${file}' is a folder; pass the files in it, such as ${file}/*.jsonl`);
    bytes += found.size;
  }
  return files.includes(STANDARD_INPUT) ? undefined : bytes;
}

async function* openText(file: string, onBytes: (count: number) => void, signal: AbortSignal) {
  const stream = file === STANDARD_INPUT ? process.stdin : createReadStream(file);
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
const createRemoteImportTarget = (api: TraceApiRequester): ImportTarget => ({
  createTrace: (trace) => toStoreError(api.json('createTrace', { body: stringifyJson(trace) })),
  readTrace: (traceId) => toStoreError(api.json('getTrace', { traceId })),
  async append(traceId, blocks) {
    const body = stringifyJson({ blocks });
    // The response to a batch is receipts.
    return ((await toStoreError(api.json('appendBlocks', { traceId, body }))) as BatchReceipt).blocks;
  },
  putBlob: ({ sha256, media_type, data }) =>
    toStoreError(api.json('putBlob', { sha256, body: data, mediaType: media_type })),
  addScore: (score) => toStoreError(api.json('createScore', { body: stringifyJson(score) })),
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

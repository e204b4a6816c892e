import { oneLine, plural } from '../../core/index.ts';
import { importFormats } from '../../trace/formats/index.ts';
import { readTraceLimits } from '../../trace/model/index.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { byteUnit, createProgressBar } from '../terminal/progress.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { safeJson } from '../terminal/text.ts';
import { reportTraceFailure, storeAccessFlags } from '../traces/flags.ts';
import {
  createRemoteImportTarget,
  emptyReport,
  type FailedImport,
  type FilesReport,
  importFiles,
  totalFileSize,
} from '../traces/import-traces.ts';
import { openTraceAccess } from '../traces/open-traces.ts';

export const tracesImportCommand = defineCommand({
  name: 'import',
  summary: 'Import traces that this or another tool has exported.',
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
    const report = emptyReport();
    try {
      using progress = createProgressBar(byteUnit);
      await importFiles(files, createRemoteImportTarget(traces.api), {
        all,
        format,
        limits: readTraceLimits(process.env),
        signal,
        progress,
        onFailed: (failed) => json || progress.printLine(`ors: ${failureLine(failed)}`),
        report,
      });
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

import { Command, Option } from 'commander';
import { oneLine, plural } from '../../core/index.ts';
import { type ImportFormat, importFormats } from '../../trace/formats/index.ts';
import { readTraceLimits } from '../../trace/model/index.ts';
import { EXIT } from '../failure.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { byteUnit, createProgressBar } from '../terminal/progress.ts';
import { safeJson } from '../terminal/safe-json.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addStoreAccessOptions, type StoreAccessFlags } from '../traces/access-options.ts';
import {
  emptyReport,
  type FailedImport,
  type FilesReport,
  importFiles,
  totalFileSize,
} from '../traces/import-files.ts';
import { createRemoteImportTarget } from '../traces/import-target.ts';
import { openTraceAccess } from '../traces/open-traces.ts';
import { reportTraceFailure } from '../traces/report.ts';

interface ImportFlags extends StoreAccessFlags {
  readonly format: ImportFormat;
  readonly json?: true;
}

const HELP = `
Traces are written one after the other, by the rules of every write; ids stay as they are, so importing a file again adds
only what is missing. A line, block or trace that cannot be read or is refused is named with its line; all else is
imported. The bytes of blobs, to which blocks of a jsonl export may refer, are not in it: import into the store that has
them, or read them with the API.
A file that is named by --db and not there is made.

Exit codes: 0 all was imported; 1 something was refused; 130 interrupted: what is in the report is on disk.

Examples:
  $ ors traces import first-run.jsonl --db traces.db
  $ zcat runs/*.jsonl.gz | ors traces import - --url http://127.0.0.1:8090`;

/** `ors traces import <file...>`. */
export function tracesImportCommand(): Command {
  const command = new Command('import')
    .description('Import traces that this or another tool has exported.')
    .argument('<file...>', 'files to read; - is standard input')
    .addOption(new Option('--format <format>', 'what the files hold').choices([...importFormats]).default('auto'))
    .option('--json', 'print the report as one JSON document');
  return addStoreAccessOptions(command)
    .addHelpText('after', HELP)
    .action((files: string[], flags: ImportFlags) => reportTraceFailure(flags.json === true, () => run(files, flags)));
}

async function run(files: readonly string[], { format, json, ...access }: ImportFlags): Promise<void> {
  using interrupts = listenForInterrupts();
  const { signal } = interrupts;
  await using traces = await openTraceAccess(access, { mayCreate: true, signal });
  const all = await totalFileSize(files);
  const report = emptyReport();
  try {
    using progress = createProgressBar(byteUnit);
    const onFailed = (failed: FailedImport) => json || progress.printLine(`ors: ${lineOf(failed)}`);
    const limits = readTraceLimits(process.env);
    await importFiles(files, createRemoteImportTarget(traces.api), {
      all,
      format,
      limits,
      signal,
      progress,
      onFailed,
      report,
    });
  } finally {
    openTerminal().print(json ? `${safeJson(report)}\n` : `${sentenceOf(report)}\n`);
  }
  if (report.failed_count > 0) process.exitCode = EXIT.failed;
}

function lineOf({ file, line, trace_id, block_id, error }: FailedImport): string {
  const block = typeof block_id !== 'string' ? '' : ` block ${block_id} of`;
  const what = trace_id === null ? '' : `,${block} ${trace_id}`;
  // The errors of lines name them.
  const reason = oneLine(error.message).replace(/^line \d+: /, '');
  return `${file} line ${line}${what}: not imported: ${reason}`;
}

function sentenceOf({ traces, blocks, replayed, failed_count }: FilesReport): string {
  const known = replayed === 0 ? '' : `; ${plural(replayed, 'block')} there already`;
  const failed = failed_count === 0 ? '' : `; not imported: ${failed_count}`;
  return `imported ${plural(traces, 'trace')} with ${plural(blocks, 'new block')}${known}${failed}`;
}

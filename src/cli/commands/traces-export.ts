import type { Trace } from '../../../generated/trace.ts';
import { MissingPackageError, plural } from '../../core/index.ts';
import { type ExportFormat, formatNames, writeTraces } from '../../trace/formats/index.ts';
import { selectTraces } from '../../trace/model/index.ts';
import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { countUnit, createDataProgressBar, type ProgressBar } from '../terminal/progress.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { openFileOutput, openStandardOutput, partialPath, type TextOutput } from '../terminal/text-output.ts';
import { chooseTraces, exportRemoteTrace, readScores } from '../traces/export-traces.ts';
import { openTraceAccess, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';
import { traceFilterFlags, traceQueryOf, traceSelectionFlags, traceSelectionOf } from '../traces/trace-filters.ts';

export const tracesExportCommand = defineCommand({
  name: 'export',
  arguments: [['[trace...]', 'trace ids; the prefix tr_ is optional']],
  flags: {
    '--format <format>': {
      help: 'output format',
      choices: formatNames,
      default: 'jsonl',
    },
    '--out <file>': 'file to write, replaced if it exists (default: standard output)',
    ...traceFilterFlags,
    ...traceSelectionFlags,
    ...storeAccessFlags,
  },
  details: `Formats:
  jsonl      traces and blocks as stored; ors traces import reads them. Large texts and images that are stored beside
             blocks (blobs) are not included: a block refers to them by their SHA-256
  openai     chat messages for fine-tuning; sharegpt is the same in the form that LLaMA-Factory reads
  atif       trajectories of Harbor, one document per line; an import loses nothing but blobs
  otlp-json  OpenTelemetry spans, one collector request per line
  csv        a row per trace: fields, rewards, and the messages as JSON
  parquet    the same with typed columns and a list of messages; needs the package hyparquet-writer
  html       one page without scripts to read and send: conversations, calls, results, rewards and scores

Traces are exported oldest first. With --best, a group is the rollouts of one task, and traces without a reward are left out;
--per task compares the rollouts of a task in all runs.

A file is written to <file>.part and renamed when it is complete and on disk.`,
  examples: [
    'ors traces export --run first-run --out first-run.jsonl',
    "ors traces export --run first-run --where 'reward>=1' --best 1 --format sharegpt",
    'ors traces export --model some-model --status finished --format parquet --out runs.parquet',
    'ors traces export 01k2m3n4p5q6r7s8t9v0w1x2y3 --format html --out trace.html',
    'ors traces export tr_01k2m3n4p5q6r7s8t9v0w1x2y3 --format openai | jq .messages',
  ],
  report: reportTraceFailure,
  async run(ids, { format, out, ...flags }) {
    using interrupts = listenForInterrupts();
    await using access = await openTraceAccess(flags, { signal: interrupts.signal });
    const { api } = access;
    // Before the output is opened: unknown traces must not replace an existing file.
    const chosen = await chooseTraces(api, ids, traceQueryOf(flags));
    const selection = traceSelectionOf(flags);
    let count = 0;
    const textOf = async function* (trace: Trace, each: ExportFormat) {
      yield* exportRemoteTrace(api, trace, each);
      count++;
    };
    const scoresOf = (trace: Trace) => readScores(api, trace);
    const selected = selectTraces(chosen.traces, { ...selection, scoresOf });
    const chunks = await writeTraces(format, selected, { textOf, scoresOf }).catch(explainMissing);
    await using output = out === undefined ? openStandardOutput() : await openFileOutput(out);
    try {
      await write(chunks, output, {
        out,
        signal: interrupts.signal,
        onWritten: (progress) => progress.show(count, chosen.all),
      });
      await output.finish();
      if (out !== undefined) openTerminal().print(`wrote ${plural(count, 'trace')} to ${out}\n`);
    } catch (error) {
      if (out === undefined || !(error instanceof Error)) throw error;
      const exitCode = error instanceof CliError ? error.exitCode : undefined;
      throw new CliError(`${error.message}; the incomplete output is in ${partialPath(out)}`, {
        exitCode,
        cause: error,
      });
    }
  },
});

interface WriteOptions {
  readonly out: string | undefined;
  readonly signal: AbortSignal;
  readonly onWritten: (progress: ProgressBar) => void;
}

async function write(
  chunks: AsyncIterable<string | Uint8Array>,
  output: TextOutput,
  { out, signal, onWritten }: WriteOptions,
): Promise<void> {
  using progress = createDataProgressBar(countUnit('trace'), out);
  for await (const chunk of chunks) {
    await output.write(chunk);
    signal.throwIfAborted();
    onWritten(progress);
  }
}

function explainMissing(error: unknown): never {
  throw error instanceof MissingPackageError ? new CliError(error.message) : error;
}

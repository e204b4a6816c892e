import type { Trace } from '../../../generated/trace.ts';
import { plural } from '../../core/index.ts';
import { exportFormats, type FormatName } from '../../trace/formats/index.ts';
import { defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts } from '../process.ts';
import { countUnit, createDataProgressBar } from '../terminal/progress.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { openFileOutput, openStandardOutput, partialPath, type TextOutput } from '../terminal/text-output.ts';
import { chooseTraces, exportRemoteTrace } from '../traces/export-traces.ts';
import { openTraceAccess, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';

export const tracesExportCommand = defineCommand({
  name: 'export',
  summary: 'Export traces in a format of this or other tools.',
  arguments: [['[trace...]', 'trace ids; the prefix tr_ is optional']],
  flags: {
    '--run <name>': 'all traces of this run, oldest first',
    '--format <format>': {
      help: 'output format',
      // Its keys are the names of the formats.
      choices: Object.keys(exportFormats) as readonly FormatName[],
      default: 'jsonl',
    },
    '--out <file>': 'file to write, replaced if it exists (default: standard output)',
    ...storeAccessFlags,
  },
  details: `Formats:
  jsonl      traces and blocks as stored; ors traces import reads them. Large texts and images that are stored beside
             blocks (blobs) are not included: a block refers to them by their SHA-256
  openai     chat messages for fine-tuning; sharegpt is the same in the form that LLaMA-Factory reads
  atif       trajectories of Harbor, one document per line; an import loses nothing but blobs
  otlp-json  OpenTelemetry spans, one collector request per line

A file is written to <file>.part and renamed when it is complete and on disk.`,
  examples: [
    'ors traces export --run first-run --out first-run.jsonl',
    'ors traces export tr_01k2m3n4p5q6r7s8t9v0w1x2y3 --format openai | jq .messages',
  ],
  report: reportTraceFailure,
  async run(ids, { run, format, out, ...access }) {
    using interrupts = listenForInterrupts();
    await using traces = await openTraceAccess(access, { signal: interrupts.signal });
    const { api } = traces;
    // Before the output is opened: unknown traces must not replace an existing file.
    const chosen = await chooseTraces(api, ids, run);
    await using output = out === undefined ? openStandardOutput() : await openFileOutput(out);
    try {
      const textOf = (trace: Trace) => exportRemoteTrace(api, trace, exportFormats[format]);
      const count = await write(chosen, output, textOf, out, interrupts.signal);
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

async function write(
  { all, traces }: Awaited<ReturnType<typeof chooseTraces>>,
  output: TextOutput,
  textOf: (trace: Trace) => AsyncIterable<string>,
  out: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  using progress = createDataProgressBar(countUnit('trace'), out);
  let done = 0;
  for await (const trace of traces) {
    for await (const text of textOf(trace)) {
      await output.write(text);
      signal.throwIfAborted();
    }
    progress.show(++done, all);
  }
  return done;
}

import { Command, Option } from 'commander';
import { plural } from '../../core/index.ts';
import { exportFormats, type FormatName } from '../../trace/formats/index.ts';
import { CliError } from '../failure.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addStoreAccessOptions, type StoreAccessFlags } from '../traces/access-options.ts';
import { type ChosenTraces, chooseTraces } from '../traces/choose-traces.ts';
import { exportRemoteTrace } from '../traces/export-traces.ts';
import { openTraceAccess } from '../traces/open-traces.ts';
import { reportTraceFailure } from '../traces/report.ts';
import { openFileOutput, openStandardOutput, partialPath, type TextOutput } from '../traces/text-output.ts';

interface ExportFlags extends StoreAccessFlags {
  readonly run?: string;
  readonly format: FormatName;
  readonly out?: string;
}

const HELP = `
Formats:
  jsonl      traces and blocks as they are; ors traces import reads it. Without the bytes of large texts and images that
             are stored beside blocks (blobs): a block refers to them by their SHA-256
  openai     chat messages for fine-tuning; sharegpt is the same as LLaMA-Factory reads it
  atif       trajectories of Harbor, one document a line, from which an import loses nothing but blobs
  otlp-json  spans of OpenTelemetry, a request of a collector a line

A file grows as <file>.part and gets its name when it is whole and on disk.

Examples:
  $ ors traces export --run first-run --out first-run.jsonl
  $ ors traces export tr_01k2m3n4p5q6r7s8t9v0w1x2y3 --format openai | jq .messages`;

/** `ors traces export <trace>...`, `ors traces export --run <run>`. */
export function tracesExportCommand(): Command {
  const command = new Command('export')
    .description('Write traces in a format of this or other tools.')
    .argument('[trace...]', 'ids of traces; tr_ may be left out')
    .option('--run <name>', 'all traces of this run, oldest first')
    .addOption(
      new Option('--format <format>', 'how they are written').choices(Object.keys(exportFormats)).default('jsonl'),
    )
    .option('--out <file>', 'file to write, in place of one that is there (default: standard output)');
  return addStoreAccessOptions(command)
    .addHelpText('after', HELP)
    .action((ids: string[], flags: ExportFlags) => reportTraceFailure(false, () => run(ids, flags)));
}

async function run(ids: readonly string[], flags: ExportFlags): Promise<void> {
  using interrupts = listenForInterrupts();
  await using traces = await openTraceAccess(flags, { signal: interrupts.signal });
  const { api } = traces;
  // What is asked for and not there leaves a file alone that is.
  const chosen = await chooseTraces(api, ids, flags.run);
  const { out } = flags;
  await using output = out === undefined ? openStandardOutput() : await openFileOutput(out);
  try {
    const count = await write(chosen, output, (trace) => exportRemoteTrace(api, trace, exportFormats[flags.format]), {
      signal: interrupts.signal,
      isShown: out !== undefined || !process.stdout.isTTY,
    });
    await output.finish();
    if (out !== undefined) openTerminal().print(`wrote ${plural(count, 'trace')} to ${out}\n`);
  } catch (error) {
    if (out === undefined || !(error instanceof Error)) throw error;
    const exitCode = error instanceof CliError ? { exitCode: error.exitCode } : {};
    throw new CliError(`${error.message}; what was written is in ${partialPath(out)}`, { ...exitCode, cause: error });
  }
}

interface ExportContext {
  readonly signal: AbortSignal;
  /** Whether a line of progress would not be among the traces. */
  readonly isShown: boolean;
}

async function write(
  { all, traces }: ChosenTraces,
  output: TextOutput,
  textOf: (trace: Parameters<typeof exportRemoteTrace>[1]) => AsyncIterable<string>,
  { signal, isShown }: ExportContext,
): Promise<number> {
  const terminal = openTerminal(process.stderr);
  using progress = createProgressBar(countUnit('trace'), isShown ? terminal : { ...terminal, isInteractive: false });
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

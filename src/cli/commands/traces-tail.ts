import { Command } from 'commander';
import type { Trace } from '../../../generated/trace.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addStoreAccessOptions, type StoreAccessFlags } from '../traces/access-options.ts';
import { openTraceAccess } from '../traces/open-traces.ts';
import { reportTraceFailure } from '../traces/report.ts';
import { showHead } from '../traces/show-trace.ts';
import { tailTrace } from '../traces/tail-trace.ts';
import { parseTraceId } from '../traces/trace-ids.ts';

interface TailFlags extends StoreAccessFlags {
  readonly json?: true;
}

const HELP = `
Begins with the first block and ends when the trace is no longer running; Ctrl-C ends it before, and is no failure. A
connection that breaks is made again, and no block is missed or shown twice.

Examples:
  $ ors traces tail tr_01k2m3n4p5q6r7s8t9v0w1x2y3 --url http://127.0.0.1:8090
  $ ors traces tail 01k2m3n4p5q6r7s8t9v0w1x2y3 --json | jq -c 'select(.block) | .block.payload'`;

/** `ors traces tail <trace>`. */
export function tracesTailCommand(): Command {
  const command = new Command('tail')
    .description('Watch a trace while it is written.')
    .argument('<trace>', 'id of the trace; tr_ may be left out')
    .option('--json', 'print one JSON document a line: {"block": ...}, and {"trace": ...} when that has changed');
  return addStoreAccessOptions(command)
    .addHelpText('after', HELP)
    .action((trace: string, flags: TailFlags) => reportTraceFailure(flags.json === true, () => run(trace, flags)));
}

async function run(trace: string, flags: TailFlags): Promise<void> {
  const id = parseTraceId(trace);
  const asJson = flags.json === true;
  using interrupts = listenForInterrupts();
  const { signal } = interrupts;
  await using traces = await openTraceAccess(flags);
  // The answer to getTrace is a trace.
  const found = (await traces.api.json('getTrace', { traceId: id })) as Trace;
  const terminal = openTerminal();
  if (!asJson) terminal.print(showHead(found, terminal));
  try {
    await tailTrace(traces.follow(id, 0, signal), terminal, asJson);
  } catch (error) {
    // Ctrl-C is the way to leave, and no failure.
    if (!signal.aborted) throw error;
  }
}

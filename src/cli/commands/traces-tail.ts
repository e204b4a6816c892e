import type { Trace } from '../../../generated/trace.ts';
import { defineCommand } from '../command.ts';
import { listenForInterrupts } from '../process.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { openTraceAccess, parseTraceId, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';
import { showHead, tailTrace } from '../traces/show-trace.ts';

export const tracesTailCommand = defineCommand({
  name: 'tail',
  arguments: [['<trace>', 'trace id; the prefix tr_ is optional']],
  flags: {
    '--json': 'print one JSON document per line: {"block": ...}, and {"trace": ...} when the trace changes',
    ...storeAccessFlags,
  },
  details: `Begins with the first block and ends when the trace is no longer running. Ctrl-C ends it earlier and is not a failure.
Reconnects after a broken connection without missing or repeating a block.`,
  examples: [
    'ors traces tail tr_01k2m3n4p5q6r7s8t9v0w1x2y3 --url http://127.0.0.1:8090',
    "ors traces tail 01k2m3n4p5q6r7s8t9v0w1x2y3 --json | jq -c 'select(.block) | .block.payload'",
  ],
  report: reportTraceFailure,
  async run(trace, flags) {
    const id = parseTraceId(trace);
    const asJson = flags.json === true;
    using interrupts = listenForInterrupts();
    const { signal } = interrupts;
    await using traces = await openTraceAccess(flags);
    // The response of getTrace is a trace.
    const found = (await traces.api.json('getTrace', { traceId: id })) as Trace;
    const terminal = openTerminal();
    if (!asJson) terminal.print(showHead(found, terminal));
    try {
      await tailTrace(traces.follow(id, 0, signal), terminal, asJson);
    } catch (error) {
      // Ctrl-C is the way to leave, not a failure.
      if (!signal.aborted) throw error;
    }
  },
});

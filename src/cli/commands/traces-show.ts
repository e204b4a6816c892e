import { defineCommand } from '../command.ts';
import { openPager, pagerFlags } from '../terminal/text-output.ts';
import { openTraceAccess, parseTraceId, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';
import { printTraceJson, showTrace } from '../traces/show-trace.ts';

export const tracesShowCommand = defineCommand({
  name: 'show',
  arguments: [['<trace>', 'trace id; the prefix tr_ is optional']],
  flags: {
    '--json': 'print one JSON document: the stitched trace, with assembled results',
    ...pagerFlags,
    ...storeAccessFlags,
  },
  details: `Each message is followed by its thoughts and calls, each call by its result. Pieces of a result are joined, and missing
pieces are reported. Nothing is truncated; payloads that were too large for a block are fetched.`,
  examples: [
    'ors traces show tr_01k2m3n4p5q6r7s8t9v0w1x2y3',
    "ors traces show 01k2m3n4p5q6r7s8t9v0w1x2y3 --json | jq '.messages[].tool_calls[].assembled.value'",
  ],
  report: reportTraceFailure,
  async run(trace, flags) {
    const id = parseTraceId(trace);
    await using traces = await openTraceAccess(flags);
    await using terminal = await openPager(flags);
    await (flags.json ? printTraceJson : showTrace)(traces.api, id, terminal);
  },
});

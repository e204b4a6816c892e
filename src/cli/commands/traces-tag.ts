import { plural } from '../../core/index.ts';
import { collect, defineCommand } from '../command.ts';
import { CliError } from '../failure.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { reportFailed, selectedIds, updateTraces } from '../traces/export-traces.ts';
import { openTraceAccess, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';
import { traceFilterFlags, traceQueryOf } from '../traces/trace-filters.ts';

export const tracesTagCommand = defineCommand({
  name: 'tag',
  arguments: [['[trace...]', 'trace ids; the prefix tr_ is optional']],
  flags: {
    '--add <tag>': { help: 'add this tag; repeatable', parse: collect },
    '--remove <tag>': { help: 'remove this tag; repeatable', parse: collect },
    ...traceFilterFlags,
    ...storeAccessFlags,
  },
  details: `Pass either trace ids, or filters that select them. Traces with the tag conformance or by-hand are not among the latest
traces of the viewer.`,
  examples: [
    'ors traces tag 01k2m3n4p5q6r7s8t9v0w1x2y3 --add kept',
    "ors traces tag --query 'run:=first-run reward:<0' --add review --remove kept",
  ],
  report: reportTraceFailure,
  async run(ids, { add, remove, ...flags }) {
    if (!add && !remove) throw new CliError('pass at least one of --add and --remove');
    await using traces = await openTraceAccess(flags);
    const chosen = await selectedIds(traces.api, ids, traceQueryOf(flags));
    const change = { ...(add && { add_tags: [...add] }), ...(remove && { remove_tags: [...remove] }) };
    const { changed, failed } = await updateTraces(traces.api, chosen, change);
    openTerminal().print(`changed ${changed} of ${plural(chosen.length, 'trace')}\n`);
    reportFailed(failed);
  },
});

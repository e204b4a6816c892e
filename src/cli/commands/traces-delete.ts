import { plural } from '../../core/index.ts';
import { deleteTrace } from '../../trace/client/index.ts';
import { defineCommand } from '../command.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { reportFailed, selectedIds, updateTraces } from '../traces/export-traces.ts';
import { confirm, openTraceAccess, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';
import { traceFilterFlags, traceQueryOf } from '../traces/trace-filters.ts';

export const tracesDeleteCommand = defineCommand({
  name: 'delete',
  arguments: [['[trace...]', 'trace ids; the prefix tr_ is optional']],
  flags: { '--yes': 'do not ask for confirmation', ...traceFilterFlags, ...storeAccessFlags },
  details: `Deletes traces with all of their blocks and scores; their ids are not used again. Pass either trace ids, or filters that
select the traces. Asks for confirmation on a terminal. Deletes nothing if one of the named traces does not exist.`,
  examples: [
    'ors traces delete tr_01k2m3n4p5q6r7s8t9v0w1x2y3',
    'ors traces delete 01k2m3n4p5q6r7s8t9v0w1x2y3 01k2m3n4p5q6r7s8t9v0w1x2y4 --yes',
    'ors traces delete --query "tag:=conformance before:7d" --yes',
  ],
  report: reportTraceFailure,
  async run(named, flags) {
    await using traces = await openTraceAccess(flags);
    const ids = await selectedIds(traces.api, named, traceQueryOf(flags));
    const terminal = openTerminal();
    if (ids.length === 0) return terminal.print('no trace matches\n');
    const what = named.length > 0 && ids.length === 1 ? ids[0] : plural(ids.length, 'trace');
    if (!flags.yes) await confirm(`Delete ${what} of ${flags.org}? This cannot be undone.`);
    if (named.length > 0) {
      for (const id of ids) {
        await deleteTrace(traces.api, id);
        terminal.print(`deleted ${id}\n`);
      }
      return;
    }
    using progress = createProgressBar(countUnit('trace'));
    const { changed, failed } = await updateTraces(traces.api, ids, { delete: true }, (done) =>
      progress.show(done, ids.length),
    );
    terminal.print(`deleted ${plural(changed, 'trace')}\n`);
    reportFailed(failed);
  },
});

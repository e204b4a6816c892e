import { plural } from '../../core/index.ts';
import { deleteTrace } from '../../trace/client/index.ts';
import { defineCommand } from '../command.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { confirm, openTraceAccess, parseTraceId, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';

export const tracesDeleteCommand = defineCommand({
  name: 'delete',
  summary: 'Delete traces with their blocks.',
  arguments: [['<trace...>', 'trace ids; the prefix tr_ is optional']],
  flags: { '--yes': 'do not ask for confirmation', ...storeAccessFlags },
  details: `Deletes a trace with all of its blocks; its id is not used again. Asks for confirmation on a terminal. Deletes nothing
if one of the traces does not exist.`,
  examples: [
    'ors traces delete tr_01k2m3n4p5q6r7s8t9v0w1x2y3',
    'ors traces delete 01k2m3n4p5q6r7s8t9v0w1x2y3 01k2m3n4p5q6r7s8t9v0w1x2y4 --yes',
  ],
  report: reportTraceFailure,
  async run(written, flags) {
    const ids = [...new Set(written.map(parseTraceId))];
    await using traces = await openTraceAccess(flags);
    for (const id of ids) await traces.api.json('getTrace', { traceId: id });
    const what = ids.length === 1 ? ids[0] : plural(ids.length, 'trace');
    if (!flags.yes) await confirm(`Delete ${what} of ${flags.org}? This cannot be undone.`);
    const terminal = openTerminal();
    for (const id of ids) {
      await deleteTrace(traces.api, id);
      terminal.print(`deleted ${id}\n`);
    }
  },
});

import { Command } from 'commander';
import { plural } from '../../core/index.ts';
import { deleteTrace } from '../../trace/client/index.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addStoreAccessOptions, type StoreAccessFlags } from '../traces/access-options.ts';
import { confirm } from '../traces/confirm.ts';
import { openTraceAccess } from '../traces/open-traces.ts';
import { reportTraceFailure } from '../traces/report.ts';
import { parseTraceId } from '../traces/trace-ids.ts';

interface DeleteFlags extends StoreAccessFlags {
  readonly yes?: true;
}

const HELP = `
A trace goes with all of its blocks, and its id is not given again. On a terminal you are asked first. Nothing is deleted
unless all of the traces are there.

Examples:
  $ ors traces delete tr_01k2m3n4p5q6r7s8t9v0w1x2y3
  $ ors traces delete 01k2m3n4p5q6r7s8t9v0w1x2y3 01k2m3n4p5q6r7s8t9v0w1x2y4 --yes`;

/** `ors traces delete <trace...>`. */
export function tracesDeleteCommand(): Command {
  const command = new Command('delete')
    .description('Delete traces with their blocks.')
    .argument('<trace...>', 'ids of traces; tr_ may be left out')
    .option('--yes', 'do not ask');
  return addStoreAccessOptions(command)
    .addHelpText('after', HELP)
    .action((ids: string[], flags: DeleteFlags) => reportTraceFailure(false, () => run(ids, flags)));
}

async function run(written: readonly string[], flags: DeleteFlags): Promise<void> {
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
}

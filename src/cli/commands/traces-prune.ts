import { Command } from 'commander';
import { formatBytes, plural } from '../../core/index.ts';
import { deleteTrace } from '../../trace/client/index.ts';
import { listenForInterrupts } from '../remote/interrupts.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { openTerminal } from '../terminal/terminal.ts';
import { addStoreAccessOptions, type StoreAccessFlags } from '../traces/access-options.ts';
import { formatTimestamp, parseAge } from '../traces/age.ts';
import { confirm } from '../traces/confirm.ts';
import { listOldTraces, type OldTraces } from '../traces/old-traces.ts';
import { openTraceAccess } from '../traces/open-traces.ts';
import { reportTraceFailure } from '../traces/report.ts';

interface PruneFlags extends StoreAccessFlags {
  readonly olderThan: number;
  readonly run?: string;
  readonly dryRun?: true;
  readonly yes?: true;
}

const HELP = `
The age of a trace is the time since it last changed, by the clock of this machine. On a terminal you are asked first. The
file of a store does not get smaller: what is free in it is written to again.

Examples:
  $ ors traces prune --older-than 30d --dry-run
  $ ors traces prune --older-than 12h --run scratch --yes`;

/** `ors traces prune`. */
export function tracesPruneCommand(): Command {
  const command = new Command('prune')
    .description('Delete the traces that have not changed for a time.')
    .requiredOption('--older-than <time>', 'such as 30d, 12h, 45m, 90s, 2w', parseAge)
    .option('--run <name>', 'only those of this run')
    .option('--dry-run', 'delete nothing; print the ids')
    .option('--yes', 'do not ask');
  return addStoreAccessOptions(command)
    .addHelpText('after', HELP)
    .action((flags: PruneFlags) => reportTraceFailure(false, () => run(flags)));
}

async function run({ olderThan, run: name, dryRun, yes, ...access }: PruneFlags): Promise<void> {
  const before = formatTimestamp(Date.now() - olderThan);
  await using traces = await openTraceAccess(access);
  const { api } = traces;
  const terminal = openTerminal();
  const found = { count: 0, blocks: 0, bytes: 0 };
  for await (const trace of listOldTraces(api, { before, run: name })) {
    found.count++;
    found.blocks += trace.block_count;
    found.bytes += trace.bytes;
    if (dryRun) terminal.print(`${trace.id}\n`);
  }
  const size = `${plural(found.blocks, 'block')}, ${formatBytes(found.bytes)}`;
  const what = `${plural(found.count, 'trace')} of ${access.org} (${size})`;
  if (dryRun) return void process.stderr.write(`${what} would be deleted\n`);
  if (found.count === 0) return terminal.print('no trace is that old\n');
  if (!yes) await confirm(`Delete ${what}, unchanged since ${before}? This cannot be undone.`);
  const deleted = await deleteAll(listOldTraces(api, { before, run: name }), found.count, (id) => deleteTrace(api, id));
  terminal.print(`deleted ${plural(deleted, 'trace')}\n`);
}

/** An interrupt ends it after the trace that is being deleted. */
async function deleteAll(old: OldTraces, all: number, remove: (id: string) => Promise<void>): Promise<number> {
  using interrupts = listenForInterrupts();
  using progress = createProgressBar(countUnit('trace'));
  let deleted = 0;
  for await (const { id } of old) {
    await remove(id);
    progress.show(++deleted, all);
    if (interrupts.signal.aborted) {
      progress.printLine(`ors: deleted ${deleted} of ${plural(all, 'trace')}`);
      interrupts.signal.throwIfAborted();
    }
  }
  return deleted;
}

import type { Trace } from '../../../generated/trace.ts';
import { formatBytes, plural } from '../../core/index.ts';
import { deleteTrace, type TraceApiRequester } from '../../trace/client/index.ts';
import { defineCommand, orInvalid } from '../command.ts';
import { listenForInterrupts } from '../process.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';
import { openTerminal } from '../terminal/terminal.ts';
import {
  confirm,
  listOldestFirst,
  openTraceAccess,
  readRunStats,
  reportTraceFailure,
  storeAccessFlags,
} from '../traces/open-traces.ts';

export const tracesPruneCommand = defineCommand({
  name: 'prune',
  flags: {
    '--older-than <time>': { help: 'age, such as 30d, 12h, 45m, 90s, 2w', parse: parseAge, required: true },
    '--run <name>': 'only traces of this run',
    '--dry-run': 'print the ids and delete nothing',
    '--yes': 'do not ask for confirmation',
    ...storeAccessFlags,
  },
  details: `The age of a trace is the time since its last change, by the clock of this machine. Asks for confirmation on a terminal.
The file of the store does not shrink: free space in it is reused.`,
  examples: ['ors traces prune --older-than 30d --dry-run', 'ors traces prune --older-than 12h --run scratch --yes'],
  report: reportTraceFailure,
  async run({ olderThan, run, dryRun, yes, ...access }) {
    const before = formatTimestamp(Date.now() - olderThan);
    await using traces = await openTraceAccess(access);
    const { api } = traces;
    const terminal = openTerminal();
    const found = { count: 0, blocks: 0, bytes: 0 };
    for await (const trace of listOldTraces(api, before, run)) {
      found.count++;
      found.blocks += trace.block_count;
      found.bytes += trace.bytes;
      if (dryRun) terminal.print(`${trace.id}\n`);
    }
    if (found.count === 0 && run !== undefined) await readRunStats(api, run);
    const size = `${plural(found.blocks, 'block')}, ${formatBytes(found.bytes)}`;
    const what = `${plural(found.count, 'trace')} of ${access.org} (${size})`;
    if (dryRun) return void process.stderr.write(`${what} would be deleted\n`);
    if (found.count === 0) return terminal.print('no trace is that old\n');
    if (!yes) await confirm(`Delete ${what}, unchanged since ${before}? This cannot be undone.`);
    const deleted = await deleteAll(api, listOldTraces(api, before, run), found.count);
    terminal.print(`deleted ${plural(deleted, 'trace')}\n`);
  },
});

const DURATION_UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** Parses a duration such as `90s`, `45m`, `1.5h`, `30d` or `2w`. @returns milliseconds, or undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text) ?? [];
  const ms = Number(count) * (DURATION_UNITS[unit] ?? Number.NaN) * 1_000;
  return Number.isFinite(ms) ? ms : undefined;
}

/** Parses an age such as `30d` or `1.5h`. @returns milliseconds. @throws InvalidArgumentError */
export function parseAge(text: string): number {
  return orInvalid(parseDuration(text) || undefined, 'a time such as 30d, 12h, 45m, 90s or 2w');
}

/** Formats a time as stores write it, with microseconds. */
const formatTimestamp = (ms: number): string => new Date(ms).toISOString().replace('Z', '000Z');

/** Lists the traces that have not changed since `before`, oldest first. */
async function* listOldTraces(api: TraceApiRequester, before: string, run: string | undefined): AsyncGenerator<Trace> {
  for await (const trace of listOldestFirst(api, { created_before: before, ...(run !== undefined && { run }) })) {
    if (trace.updated_at < before) yield trace;
  }
}

/** An interrupt stops after the trace that is being deleted. */
async function deleteAll(api: TraceApiRequester, old: AsyncIterable<Trace>, all: number): Promise<number> {
  using interrupts = listenForInterrupts();
  using progress = createProgressBar(countUnit('trace'));
  let deleted = 0;
  for await (const { id } of old) {
    await deleteTrace(api, id);
    progress.show(++deleted, all);
    if (interrupts.signal.aborted) {
      progress.printLine(`ors: deleted ${deleted} of ${plural(all, 'trace')}`);
      interrupts.signal.throwIfAborted();
    }
  }
  return deleted;
}

import type { Trace } from '../../../generated/trace.ts';
import { stripControls } from '../../core/index.ts';
import { listPages, type TraceApiRequest, type TraceApiRequester } from '../../trace/client/index.ts';
import { createTable } from '../terminal/columns.ts';
import { safeJson } from '../terminal/safe-json.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { CSV_HEADER, TRACE_TABLE_COLUMNS, traceCsv } from './trace-rows.ts';

export type ListFormat = 'table' | 'csv' | 'json';

/** What nobody asked for in another form is for people, who read so many. */
const MAX_TABLE_ROWS = 50;

interface ListTracesOptions {
  readonly query: NonNullable<TraceApiRequest['query']>;
  readonly format: ListFormat;
  readonly limit: number | undefined;
}

/** Prints traces page by page, as a table, CSV, or one JSON document a line. */
export async function printTraceList(
  api: TraceApiRequester,
  { query, format, limit }: ListTracesOptions,
  terminal: Terminal,
): Promise<void> {
  const max = limit ?? (format === 'table' ? MAX_TABLE_ROWS : Number.POSITIVE_INFINITY);
  const print = printerOf(format, terminal);
  let [count, hasMore] = [0, false];
  for await (const { traces, page } of listPages(api, 'listTraces', query, max)) {
    print(traces);
    count += traces.length;
    hasMore = page.next_cursor !== null;
  }
  if (format !== 'table') return;
  if (count === 0) terminal.print('no traces\n');
  else if (hasMore) terminal.print(terminal.style('dim', `the first ${count}; there are more: --limit <number>\n`));
}

function printerOf(format: ListFormat, terminal: Terminal): (traces: readonly Trace[]) => void {
  if (format === 'json') return (traces) => terminal.print(traces.map((trace) => `${safeJson(trace)}\n`).join(''));
  if (format === 'table') {
    const print = createTable(TRACE_TABLE_COLUMNS, terminal);
    return (traces) => (traces.length > 0 ? print(traces) : undefined);
  }
  const shown = terminal.isInteractive ? stripControls : (text: string) => text;
  terminal.print(CSV_HEADER);
  return (traces) => terminal.print(shown(traces.map(traceCsv).join('')));
}

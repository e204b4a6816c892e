import type { Trace } from '../../../generated/trace.ts';
import { csvRow, oneLine, stripControls } from '../../core/index.ts';
import { listPages } from '../../trace/client/index.ts';
import { defineCommand, integerParser, orInvalid } from '../command.ts';
import {
  createTable,
  formatRewardCell,
  formatTime,
  safeJson,
  type TableColumn,
  type Terminal,
} from '../terminal/terminal.ts';
import { openPager, pagerFlags } from '../terminal/text-output.ts';
import { openTraceAccess, readRunStats, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';
import { describeParent } from '../traces/show-trace.ts';
import { traceFilterFlags, traceQueryOf } from '../traces/trace-filters.ts';

type ListFormat = 'table' | 'csv' | 'json';

function parseSort(text: string): string {
  const isKnown = /^(created|reward|length|score:.+)$/.test(text);
  return orInvalid(isKnown ? text : undefined, 'created, reward, length or score:<name>');
}

/** Default limit of the table. */
const MAX_TABLE_ROWS = 50;

export const tracesLsCommand = defineCommand({
  name: 'ls',
  flags: {
    ...traceFilterFlags,
    '--branches': 'also list traces that continue another one; --parent and parent: list them, too',
    '--sort <key>': { help: 'sort key: created, reward, length or score:<name>', parse: parseSort, default: 'created' },
    '--order <order>': { help: 'sort order', choices: ['asc', 'desc'], default: 'desc' },
    '--limit <number>': {
      help: 'maximum number of traces (default: 50 in the table, otherwise all)',
      parse: integerParser({ min: 1 }),
    },
    '--csv': { help: 'print CSV', conflicts: ['json'] },
    '--json': 'print one JSON document per line',
    ...pagerFlags,
    ...storeAccessFlags,
  },
  details: `--csv prints all fields as RFC 4180 CSV, for spreadsheets and data frames. Text that a spreadsheet would run as a formula,
because it begins with = + - @ or a tab, is prefixed with an apostrophe; --json prints it unchanged.`,
  examples: [
    'ors traces ls --run first-run --sort reward',
    'ors traces ls --run first-run --has-error --limit 5',
    'ors traces ls --parent tr_01k2m3n4p5q6r7s8t9v0w1x2y3',
    'ors traces ls --run first-run --csv > rewards.csv',
    "ors traces ls --json | jq -r 'select(.reward_sum < 0) | .id'",
  ],
  report: reportTraceFailure,
  async run(flags) {
    const filters = traceQueryOf(flags);
    const isAll = flags.branches || flags.parent !== undefined || /(^|\s)parent:/.test(flags.query ?? '');
    const query = { ...filters, ...(!isAll && { has_parent: false }), sort: flags.sort, order: flags.order };
    await using traces = await openTraceAccess(flags);
    const format: ListFormat = flags.json ? 'json' : flags.csv ? 'csv' : 'table';
    const max = flags.limit ?? (format === 'table' ? MAX_TABLE_ROWS : Number.POSITIVE_INFINITY);
    await using terminal = await openPager(flags);
    const print = createPrinter(format, terminal);
    let count = 0;
    let hasMore = false;
    for await (const { traces: page, page: paging } of listPages(traces.api, 'listTraces', query, max)) {
      print(page);
      count += page.length;
      hasMore = paging.next_cursor !== null;
    }
    // A misspelled run would look like one without traces.
    if (count === 0 && filters.run !== undefined) await readRunStats(traces.api, filters.run);
    if (format !== 'table') return;
    const hasFilters = Object.keys(filters).length > 0;
    if (count === 0) terminal.print(hasFilters ? 'no traces match; without filters, all are listed\n' : 'no traces\n');
    else if (hasMore) terminal.print(terminal.style('dim', `first ${count}; for more, pass --limit <number>\n`));
  },
});

function createPrinter(format: ListFormat, terminal: Terminal): (traces: readonly Trace[]) => void {
  if (format === 'json') return (traces) => terminal.print(traces.map((trace) => `${safeJson(trace)}\n`).join(''));
  if (format === 'table') {
    const print = createTable(COLUMNS, terminal);
    return (traces) => (traces.length > 0 ? print(traces) : undefined);
  }
  const clean = terminal.isInteractive ? stripControls : (text: string) => text;
  terminal.print(csvRow([...CSV_FIELDS, 'tags']));
  return (traces) => terminal.print(clean(traces.map(traceCsv).join('')));
}

const orDash = (text: string | null): string => (text === null ? '-' : oneLine(text));

const COLUMNS: readonly TableColumn<Trace>[] = [
  { title: 'TRACE', text: ({ id }) => id },
  { title: 'STATUS', text: ({ status }) => status, optional: 1 },
  { title: 'REWARD', text: ({ reward_sum }) => formatRewardCell(reward_sum), isRight: true },
  { title: 'BLOCKS', text: ({ block_count }) => String(block_count), isRight: true, optional: 6 },
  { title: 'ERRORS', text: ({ error_count }) => String(error_count), isRight: true, optional: 5 },
  { title: 'CREATED (UTC)', text: ({ created_at }) => formatTime(created_at), optional: 3 },
  { title: 'ENVIRONMENT', text: ({ environment }) => orDash(environment), optional: 2 },
  { title: 'SPLIT', text: ({ split }) => orDash(split), optional: 4 },
  { title: 'RUN', text: ({ run }) => orDash(run), minWidth: 12 },
  { title: 'STEP', text: ({ step }) => (step === null ? '-' : String(step)), isRight: true, omitsEmpty: true },
  { title: 'MODEL', text: ({ model }) => orDash(model), minWidth: 12, omitsEmpty: true },
  { title: 'CONTINUES', text: (trace) => describeParent(trace) ?? '-', omitsEmpty: true },
];

const CSV_FIELDS = [
  'id',
  'name',
  'run',
  'environment',
  'variant',
  'split',
  'task_index',
  'task_key',
  'group_id',
  'step',
  'rollout_index',
  'model',
  'status',
  'reward_sum',
  'reward_last',
  'reward_max',
  'reward_count',
  'block_count',
  'bytes',
  'error_count',
  'parent_trace_id',
  'parent_calls',
  'created_at',
  'finished_at',
  'updated_at',
] as const;

const traceCsv = (trace: Trace): string =>
  csvRow([...CSV_FIELDS.map((field) => trace[field] ?? null), trace.tags.join(' ')]);

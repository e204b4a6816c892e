import type { SearchHit, SearchResults, Trace } from '../../../generated/trace.ts';
import { joinWords, oneLine, plural } from '../../core/index.ts';
import { type ErrorGroup, findsBlocks, groupErrors } from '../../trace/model/index.ts';
import { defineCommand, integerParser } from '../command.ts';
import { createTable, formatRewardCell, safeJson, type TableColumn, type Terminal } from '../terminal/terminal.ts';
import { openPager, pagerFlags } from '../terminal/text-output.ts';
import { openTraceAccess, reportTraceFailure, storeAccessFlags } from '../traces/open-traces.ts';
import { parseQuery } from '../traces/trace-filters.ts';

/** Maximum page size of the operation. */
const PAGE = 200;
const MAX_LISTED = 50;
/** Failed results that are grouped. */
const MAX_GROUPED = 10_000;

export const tracesSearchCommand = defineCommand({
  name: 'search',
  arguments: [['<query...>', 'terms that must all match; quote them for the shell']],
  flags: {
    '--limit <number>': {
      help: `maximum number of results (default: ${MAX_LISTED}; ${MAX_GROUPED} with --errors)`,
      parse: integerParser({ min: 1 }),
    },
    '--errors': { help: 'group failed results by their message', conflicts: ['json'] },
    '--json': 'print one JSON document per line: the block with its trace, or the trace',
    ...pagerFlags,
    ...storeAccessFlags,
  },
  details: `Terms:
  word, "a phrase"               text in messages, thoughts, arguments and results, ignoring case
  tool:bash                      calls of tools and their results
  error:true, error:timeout      failed results, or those with a text
  kind:call, role:user           message, thought, call or result; the role of a message
  model: env: run: split: task:  fields of the trace: the value is a part of the field, ignoring case;
  group: parent: tag: name:      with :=, it is the whole field: run:=baseline;
  trace:                         parent: finds the traces that continue a trace
  status:finished                running, finished, error or abandoned
  reward:>0.5, step: blocks:     numbers, with > >= < <= or nothing for equal; errors: counts failed results
  meta.level:hard                metadata of the trace by key
  score.correctness:>=0.5        score by name; score:correctness for any value
  after:2026-01-31, before:12h   time of creation in UTC, or an age in m, h, d or w
  -tool:bash, NOT "a phrase"     blocks and traces that do not match the term

A query with a text, tool, error, kind or role finds blocks, any other query finds traces; the newest trace is first.`,
  examples: [
    `ors traces search 'tool:bash error:"no such file" after:7d'`,
    "ors traces search 'model:some-model reward:<0.5 -tag:draft' --json",
    'ors traces search run:first-run --errors',
  ],
  report: reportTraceFailure,
  async run(words, flags) {
    const { limit, errors, json } = flags;
    const text = words.join(' ');
    const query = parseQuery('query', errors && !/(^|\s)-?error:/.test(text) ? `${text} error:true` : text);
    const { parsed, text: sent } = query;
    await using traces = await openTraceAccess(flags);
    await using terminal = await openPager(flags);
    const max = limit ?? (errors ? MAX_GROUPED : json ? Number.POSITIVE_INFINITY : MAX_LISTED);
    const print = errors ? undefined : createPrinter(json ?? false, terminal);
    const hits: SearchHit[] = [];
    let count = 0;
    let cursor: string | null | undefined;
    while (cursor !== null && count < max) {
      const page = { limit: Math.min(PAGE, max - count), ...(cursor !== undefined && { cursor }) };
      // The response follows the specification.
      const found = (await traces.api.json('search', { query: { query: sent, ...page } })) as SearchResults;
      count += findsBlocks(parsed) ? found.hits.length : found.traces.length;
      cursor = found.page.next_cursor;
      if (print) print(found);
      else hits.push(...found.hits);
    }
    if (errors) printGroups(hits, terminal);
    if (json) return;
    if (count === 0) terminal.print('nothing found\n');
    else if (cursor !== null) {
      terminal.print(terminal.style('dim', `first ${count} results; for more, pass --limit <number>\n`));
    }
  },
});

/** Returns a function that prints results; the line of a trace once for its blocks. */
function createPrinter(isJson: boolean, terminal: Terminal): (results: SearchResults) => void {
  let last: string | undefined;
  return ({ hits, traces }) => {
    const byId = new Map(traces.map((trace) => [trace.id, trace]));
    if (isJson) {
      const found = hits.length > 0 ? hits.map((hit) => ({ ...hit, trace: byId.get(hit.trace_id) })) : traces;
      return terminal.print(found.map((each) => `${safeJson(each)}\n`).join(''));
    }
    if (hits.length === 0) return terminal.print(traces.map((trace) => traceLine(trace, terminal)).join(''));
    for (const hit of hits) {
      const trace = byId.get(hit.trace_id);
      if (trace && last !== trace.id) terminal.print(traceLine(trace, terminal));
      last = hit.trace_id;
      terminal.print(hitLine(hit, terminal));
    }
  };
}

function traceLine(trace: Trace, terminal: Terminal): string {
  const { id, run, environment, split, task_index, task_key, model, status, reward_sum } = trace;
  const task = task_index === null ? task_key?.slice(0, 8) : `${split ?? ''}[${task_index}]`;
  const facts = { run, model, task: [environment, task].filter(Boolean).join(' ') };
  const named = Object.entries(facts).flatMap(([name, value]) => (value ? [`${name} ${oneLine(value)}`] : []));
  const end = [status, `reward ${formatRewardCell(reward_sum)}`];
  return `${terminal.style('bold', id)}  ${[...named, ...end].join('  ')}\n`;
}

const KINDS = { MESSAGE: 'message', THINK: 'thought', TOOL_CALL: 'call', TOOL_RESULT: 'result' };

function hitLine({ block, tool, text, error }: SearchHit, terminal: Terminal): string {
  const { id, sub_type, role, is_error } = block;
  const kind = [role ?? KINDS[sub_type], tool].filter((part) => part !== null).join(' ');
  const failed = is_error ? `${terminal.style('red', 'failed:')} ` : '';
  return `  ${terminal.style('dim', id)}  ${terminal.style('cyan', oneLine(kind))}  ${failed}${text || (error ?? '')}\n`;
}

const GROUP_COLUMNS: readonly TableColumn<ErrorGroup>[] = [
  { title: 'RESULTS', text: ({ hits }) => String(hits.length), isRight: true },
  { title: 'TRACES', text: ({ traceCount }) => String(traceCount), isRight: true },
  { title: 'TOOL', text: ({ tools }) => oneLine(joinWords(tools, { max: 2 })) || '-' },
  { title: 'EXAMPLE', text: ({ hits }) => hits[0]?.trace_id ?? '-' },
  { title: 'MESSAGE', text: ({ message }) => message },
];

function printGroups(hits: readonly SearchHit[], terminal: Terminal): void {
  const groups = groupErrors(hits);
  if (groups.length === 0) return;
  createTable(GROUP_COLUMNS, terminal)(groups);
  terminal.print(
    terminal.style('dim', `${plural(groups.length, 'message')} in ${plural(hits.length, 'failed result')}\n`),
  );
}

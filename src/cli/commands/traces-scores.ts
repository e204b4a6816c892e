import type { Score } from '../../../generated/trace.ts';
import { csvRow, definedFields, oneLine, stripControls } from '../../core/index.ts';
import { deleteScore, listPages } from '../../trace/client/index.ts';
import { collect, defineCommand } from '../command.ts';
import { createTable, formatTime, safeJson, type TableColumn } from '../terminal/terminal.ts';
import { openPager, pagerFlags } from '../terminal/text-output.ts';
import {
  openTraceAccess,
  parseTraceId,
  readRunStats,
  reportTraceFailure,
  storeAccessFlags,
} from '../traces/open-traces.ts';

export const tracesScoresCommand = defineCommand({
  name: 'scores',
  flags: {
    '--trace <id>': 'only scores of this trace and its blocks',
    '--block <id>': 'only scores of this block',
    '--run <name>': 'only scores of this run, its traces and their blocks',
    '--name <name>': 'only scores with this name',
    '--author <name>': 'only scores of this author',
    '--delete <id>': { help: 'delete the score with this id; repeatable', parse: collect },
    '--csv': { help: 'print CSV', conflicts: ['json'] },
    '--json': 'print one JSON document per line',
    ...pagerFlags,
    ...storeAccessFlags,
  },
  examples: [
    'ors traces scores --run first-run --name correctness',
    'ors traces scores --author ada --csv > scores.csv',
    'ors traces scores --delete sc_01k2m3n4p5q6r7s8t9v0w1x2y3',
  ],
  report: reportTraceFailure,
  async run(flags) {
    const { trace, block, run, name, author, json, csv } = flags;
    await using access = await openTraceAccess(flags);
    await using terminal = await openPager(flags);
    if (flags.delete) {
      for (const id of flags.delete) {
        await deleteScore(access.api, id);
        terminal.print(`deleted ${oneLine(id)}\n`);
      }
      return;
    }
    const trace_id = trace === undefined ? undefined : parseTraceId(trace);
    const query = definedFields({ trace_id, block_id: block, run, name, author });
    const print = createTable(COLUMNS, terminal);
    const clean = terminal.isInteractive ? stripControls : (text: string) => text;
    if (csv) terminal.print(csvRow([...CSV_FIELDS]));
    let count = 0;
    for await (const { scores } of listPages(access.api, 'listScores', query)) {
      count += scores.length;
      if (json) terminal.print(scores.map((score) => `${safeJson(score)}\n`).join(''));
      else if (csv) terminal.print(clean(scores.map(rowOf).join('')));
      else if (scores.length > 0) print(scores);
    }
    if (count === 0 && run !== undefined) await readRunStats(access.api, run);
    if (count === 0 && !json && !csv) terminal.print('no scores\n');
  },
});

const CSV_FIELDS = [
  ...['id', 'trace_id', 'block_id', 'run', 'name', 'value', 'label', 'comment', 'author', 'source', 'created_at'],
] as readonly Exclude<keyof Score, 'metadata'>[];

const rowOf = (score: Score): string => csvRow(CSV_FIELDS.map((field) => score[field]));

const orDash = (text: string | number | null): string => (text === null ? '-' : oneLine(String(text)));

const COLUMNS: readonly TableColumn<Score>[] = [
  { title: 'SCORE', text: ({ id }) => id },
  { title: 'OF', text: ({ block_id, trace_id, run }) => orDash(block_id ?? trace_id ?? run), minWidth: 12 },
  { title: 'NAME', text: ({ name }) => oneLine(name) },
  { title: 'VALUE', text: ({ value }) => orDash(value), isRight: true },
  { title: 'LABEL', text: ({ label }) => orDash(label) },
  { title: 'AUTHOR', text: ({ author }) => orDash(author), optional: 1 },
  { title: 'CREATED (UTC)', text: ({ created_at }) => formatTime(created_at), optional: 2 },
  { title: 'COMMENT', text: ({ comment }) => orDash(comment) },
];

/** docs/development/performance.md: the text of `performance.md` with tables of the saved sections. */

import { readFileSync, writeFileSync } from 'node:fs';
import { groupBy } from '../src/core/index.ts';
import { bestFigure, type Goal, goals, isolationGoals, judge, type Verdict } from './goals.ts';
import { isolationParts, isolationSubject } from './isolation/parts.ts';
import { parts } from './parts.ts';
import { type ContestantName, contestants, peerNames } from './process/contestants.ts';
import { markdownTable, marks, numberText, ratioText } from './report.ts';
import { type Figure, figureRatio, type Row } from './results.ts';
import { type Section, savedSections } from './sections.ts';
import { median } from './statistics.ts';
import { type EngineName, engineNames, engines, storeParts, storeSubject } from './traces/parts.ts';
import type { StoreMetric } from './traces/store-measure.ts';
import { storeVerdicts } from './traces/table.ts';

const template = new URL('performance.md', import.meta.url);
const page = new URL('../docs/development/performance.md', import.meta.url);

/** The saved sections of the trace store on one engine. */
interface StoreSections {
  readonly engine: EngineName;
  readonly sections: readonly Section<StoreMetric>[];
}

/** Writes docs/development/performance.md if every part that `make bench` can measure on this machine has a saved section. */
export function writeDocument(): void {
  const servers = savedSections(parts.map(({ name }) => name));
  const workers = savedSections(
    isolationParts.map(({ name }) => name),
    isolationSubject,
  );
  const stores = engineNames.map((engine) => ({
    engine,
    sections: savedSections<StoreMetric>(
      storeParts.map(({ name }) => name),
      storeSubject(engine),
    ),
  }));
  const missing = [
    ...parts.filter(({ name, isExtra }) => !isExtra && !sectionOf(servers, name)).map(({ name }) => name),
    ...stores.flatMap(missingStoreParts),
  ];
  if (missing.length > 0) {
    console.error(
      `docs/development/performance.md is unchanged, because these have no full run: ${missing.join(', ')}.`,
    );
    return;
  }
  writeFileSync(page, pageText(servers, workers, stores));
  console.error('docs/development/performance.md is written.');
}

/** Metrics that tables show; the saved sections have percentiles and counts, too. */
const MAIN_METRICS = /^(?!p\d|completed)/;

const sectionOf = <M extends StoreMetric>(sections: readonly Section<M>[], name: string): Section<M> | undefined =>
  sections.find(({ measure }) => measure === name);

/** The parts that `make bench` measures on this machine, but that have no saved section. */
function missingStoreParts({ engine, sections }: StoreSections): string[] {
  if (engines[engine].missing !== undefined) return [];
  return storeParts
    .filter((part) => !part.isExtra && part.missing === undefined && (part.engine ?? engine) === engine)
    .filter(({ name }) => !sectionOf(sections, name))
    .map(({ name }) => `${name} on ${engine}`);
}

function pageText(servers: readonly Section[], workers: readonly Section[], stores: readonly StoreSections[]): string {
  const all = [...servers, ...workers, ...stores.flatMap(({ sections }) => sections)];
  const values: Record<string, string> = {
    dates: datesText(all),
    machines: machinesText(all),
    contestants: Object.entries(contestants)
      .map(([name, { about }]) => `- **${name}**: ${about}`)
      .join('\n'),
    goals: goalsTable(servers, workers, stores),
    servers: serversTable(servers),
    clients: figuresTable(sectionOf(servers, 'clients'), MAIN_METRICS),
    rollouts: figuresTable(sectionOf(servers, 'rollouts')),
    journal: figuresTable(sectionOf(servers, 'journal'), MAIN_METRICS),
    stores: storesTable(stores),
  };
  return readFileSync(template, 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}

function datesText(sections: readonly Section[]): string {
  const days = [...new Set(sections.map(({ date }) => date.slice(0, 10)))].sort();
  return days.length > 1 ? `from ${days[0]} to ${days.at(-1)}` : `on ${days[0] ?? ''}`;
}

/** Lists the machines with the versions of Node. */
const machinesText = (sections: readonly Section[]): string =>
  new Intl.ListFormat('en').format(new Set(sections.map(({ machine }) => machine)));

/** Formats all goals as one table, in groups. */
function goalsTable(
  servers: readonly Section[],
  workers: readonly Section[],
  stores: readonly StoreSections[],
): string {
  const judged = (list: readonly Goal[], sections: readonly Section[]) => {
    const rows = sections.flatMap((section) => section.rows);
    return list.map((goal) => judge(goal, rows));
  };
  const groups: [name: string, verdicts: Verdict[]][] = [
    ['Server', judged(goals, servers)],
    ['Environments in workers', judged(isolationGoals, workers)],
    ...stores.map(({ engine, sections }): [string, Verdict[]] => [
      `Trace store on ${engine}`,
      [...storeVerdicts(sections.flatMap(({ rows }) => rows)), ...growthVerdicts(sectionOf(sections, 'growth'))],
    ]),
  ];
  const lines = groups.flatMap(([name, verdicts]) => [
    [`**${name}**`, '', '', '', ''],
    ...foldFamilies(verdicts).map(verdictCells),
  ]);
  return markdownTable(['', 'goal', 'result', 'rounds that met it', ''], lines);
}

/** Goals with the same bound, of which the table has the one that comes closest to it, or misses it by most. */
const FAMILIES = [
  /^p99 of a call/,
  /^heap bytes per idle session/,
  /^RSS bytes per idle session/,
  /^memory per open stream/,
  /one of each$/,
  /at full load/,
  /^T6 /,
  /^T8 .*memory growth MB$/,
  /^T10 /,
];

function foldFamilies(verdicts: readonly Verdict[]): Verdict[] {
  const families = groupBy(verdicts, ({ what }) => String(FAMILIES.find((family) => family.test(what)) ?? what));
  return [...families.values()].flatMap((family) => {
    const [worst] = [...family].sort((one, other) => (other.share ?? 0) - (one.share ?? 0));
    if (!worst) return [];
    return [family.length === 1 ? worst : { ...worst, what: `${worst.what} (worst of ${family.length})` }];
  });
}

const verdictCells = ({ what, bound, found = '-', rounds, met }: Verdict): string[] => [
  what,
  bound,
  found,
  rounds ? `${rounds.met} of ${rounds.of}` : '-',
  met === undefined ? 'not measured' : met ? 'met' : '**not met**',
];

/**
 * Bound of the growth of a cost: one in proportion to the database would grow ten times, one by index depth a little.
 */
const MAX_GROWTH = 1.5;

/**
 * Judges whether costs stayed flat as the database grew: the last three sizes relative to a tenth of the final size. CPU
 * time is judged instead of wall time, which includes other load on the machine.
 */
function growthVerdicts(section: Section | undefined): Verdict[] {
  if (!section) return [];
  const [, tenth = '', ...larger] = section.contestants;
  const growths = section.rows
    .filter(({ name }) => name.includes('CPU'))
    .map(({ name, figures }) => {
      const late = median(larger.slice(-3).flatMap((size) => figures[size]?.median ?? []));
      return { name, growth: late / (figures[tenth]?.median ?? Number.NaN) };
    })
    .sort((one, other) => other.growth - one.growth);
  return growths.slice(0, 1).map(({ name, growth }) => ({
    what: `largest growth of ${growths.length} costs beyond ${tenth} blocks: ${name}`,
    bound: `at most ${MAX_GROWTH.toFixed(2)}`,
    found: growth.toFixed(2),
    rounds: undefined,
    met: growth <= MAX_GROWTH,
    share: growth / MAX_GROWTH,
  }));
}

/** The figures of `serversTable`, by measure and metric. */
const COMPARED: readonly (readonly [measure: string, metric: string])[] = [
  ['calls, 1 connection', 'CPU us/call'],
  ['calls, 32 connections', 'CPU us/call'],
  ['calls, 512 connections', 'CPU us/call'],
  ['calls, 1 connection', 'calls/s'],
  ['calls, 32 connections', 'calls/s'],
  ['calls, 512 connections', 'calls/s'],
  ['calls, 32 connections', 'p50 ms'],
  ['calls, 32 connections', 'p99 ms'],
  ['calls with 10 KB, 32 connections', 'CPU us/call'],
  ['calls with 1 MB, 32 connections', 'CPU us/call'],
  ['episodes', 'CPU us/episode'],
  ['episodes', 'episodes/s'],
  ['sessions', 'RSS bytes/idle session, of 10,000'],
  ['streams, 5,000 x 12 s', 'RSS kB/stream'],
  ['resume, 5,000 at once', 'CPU us/resumed call'],
  ['start', 'ms to first response'],
  ['start', 'RSS MB'],
];

/** Compares our server with all others; the last columns divide our figure by that of the best peer, and of `bare`. */
function serversTable(sections: readonly Section[]): string {
  const names = Object.keys(contestants) as ContestantName[];
  const rows = sections.flatMap((section) => section.rows);
  const lines = COMPARED.flatMap(([measure, metric]) => {
    const row = rows.find((each) => each.measure === measure && each.name === metric);
    return row ? [[label(row), ...names.map((name) => medianText(row.figures[name])), ...ratioCells(row)]] : [];
  });
  return markdownTable(['', ...names, 'ours/best peer', 'ours/bare'], lines);
}

const ratioCells = (row: Row): string[] =>
  [peerNames, 'bare'].map((of) => ratioText(figureRatio(row.figures.ours, bestFigure(row, of))));

/** Formats the medians of a section whose names match. */
function figuresTable(section: Section | undefined, metrics = /./): string {
  if (!section) return 'Not measured.';
  const { contestants: names, rows } = section;
  return markdownTable(
    ['', ...names],
    rows
      .filter(({ name }) => metrics.test(name))
      .map((row) => [label(row), ...names.map((name) => medianText(row.figures[name]))]),
  );
}

/** Compares the trace store on each engine with others that take the same blocks. */
function storesTable(stores: readonly StoreSections[]): string {
  const rows = stores.flatMap(({ engine, sections }) =>
    ['peer', 'page']
      .flatMap((part) => sectionOf(sections, part)?.rows ?? [])
      .map((row) => ({ ...row, measure: engine })),
  );
  const others = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))].filter((name) => name !== STORE);
  if (rows.length === 0) return 'Not measured.';
  return markdownTable(
    ['', 'ours', ...others, 'ours/best other'],
    rows.map((row) => [
      label(row),
      ...[STORE, ...others].map((name) => medianText(row.figures[name])),
      ratioText(figureRatio(row.figures[STORE], bestFigure(row, others))),
    ]),
  );
}

/** Name of our figures in the parts of the trace store. */
const STORE = 'store';

const label = ({ measure, name, better }: Row): string => `${marks[better]} ${measure}: ${name}`.trim();

const medianText = (figure: Figure | undefined): string =>
  figure === undefined || !Number.isFinite(figure.median) ? '-' : numberText(figure.median);

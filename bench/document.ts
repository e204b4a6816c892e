/** docs/development/performance.md: the text of `performance.md` with tables of the saved sections. */

import { readFileSync, writeFileSync } from 'node:fs';
import { goals, goalsTable, isolationGoals } from './goals.ts';
import { isolationParts, isolationSubject, modePairs } from './isolation/parts.ts';
import { parts } from './parts.ts';
import { contestantNames, contestants } from './process/contestants.ts';
import { figureText, markdownTable, marks, type Pair, ratioText } from './report.ts';
import { type Row, ratio } from './results.ts';
import { type Section, savedSections } from './sections.ts';
import { median } from './statistics.ts';
import { type EngineName, engineNames, engines, storeParts, storeSubject } from './traces/parts.ts';
import type { StoreMetric } from './traces/store-measure.ts';
import { storeGoals, storeTable } from './traces/table.ts';

const template = new URL('performance.md', import.meta.url);
const page = new URL('../docs/development/performance.md', import.meta.url);

/** The saved sections of the trace store on one engine. */
interface StoreSections {
  engine: EngineName;
  sections: Section<StoreMetric>[];
  /** Sections of parts that run only on request. */
  extras: Section[];
  /** Names of the parts without a saved section. */
  absent: string[];
}

/** Writes docs/development/performance.md if every part that `make bench` can measure on this machine has a saved section. */
export function writeDocument(): void {
  const saved = savedSections(parts.map(({ name }) => name));
  const stores = engineNames.map(storeSections);
  const missing = [
    ...parts.filter(({ name, isExtra }) => !isExtra && !hasSection(saved, name)).map(({ name }) => name),
    ...stores.flatMap(missingStoreParts),
  ];
  if (missing.length > 0) {
    console.error(
      `docs/development/performance.md is unchanged, because these have no full run: ${missing.join(', ')}.`,
    );
    return;
  }
  const isolation = savedSections(
    isolationParts.map(({ name }) => name),
    isolationSubject,
  );
  writeFileSync(page, pageText(saved, isolation, stores));
  console.error('docs/development/performance.md is written.');
}

const hasSection = (sections: readonly { measure: string }[], name: string): boolean =>
  sections.some(({ measure }) => measure === name);

function storeSections(engine: EngineName): StoreSections {
  const saved = <M extends StoreMetric>(isExtra: boolean) =>
    savedSections<M>(
      storeParts.filter((part) => (part.isExtra ?? false) === isExtra).map(({ name }) => name),
      storeSubject(engine),
    );
  const [sections, extras] = [saved(false), saved(true)];
  const absent = storeParts.map(({ name }) => name).filter((name) => !hasSection([...sections, ...extras], name));
  return { engine, sections, extras, absent };
}

/** The parts that `make bench` measures on this machine, but that have no saved section. */
function missingStoreParts({ engine, absent }: StoreSections): string[] {
  if (engines[engine].missing !== undefined) return [];
  return storeParts
    .filter(({ name, isExtra, missing }) => !isExtra && missing === undefined && absent.includes(name))
    .map(({ name }) => `${name} on ${engine}`);
}

function pageText(
  sections: readonly Section[],
  isolation: readonly Section[],
  stores: readonly StoreSections[],
): string {
  const rows = sections.flatMap((section) => section.rows);
  const values: Record<string, string> = {
    contestants: Object.entries(contestants)
      .map(([name, { about }]) => `- **${name}**: ${about}`)
      .join('\n'),
    machine: machinesText(sections),
    dates: datesText(sections),
    goals: goalsTable(goals, rows),
    storeGoals: new Intl.ListFormat('en').format(stores.map(storeGoalsText)),
    ratios: ratiosTable(sections),
    figures: sections.map((section) => sectionText(section, section.measure, clientPairs(section))).join('\n\n'),
    isolation: isolationText(isolation),
    store: stores.map(storeText).join('\n\n'),
  };
  return readFileSync(template, 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
}

function datesText(sections: readonly Section[]): string {
  const days = [...new Set(sections.map(({ date }) => date.slice(0, 10)))].sort();
  return days.length > 1 ? `${days[0]} to ${days.at(-1)}` : (days[0] ?? '');
}

function storeGoalsText({ engine, sections }: StoreSections): string {
  const { met, of } = storeGoals(sections.flatMap(({ rows }) => rows));
  return `${met} of ${of} on ${engine}`;
}

/** Our server with and without its fast path, and the bare server, which shows the minimum cost in Node. */
const SERVER_PAIRS: readonly Pair[] = [
  ...contestantNames.filter((name) => name !== 'ours').map((name): Pair => ['ours', name]),
  ...(['reference', 'bare'] as const).map((name): Pair => ['express', name]),
  ['bare', 'reference'],
];

/** The measure whose contestants are clients. Some of them have the names of servers. */
const CLIENTS = 'clients';

const clientPairs = ({ measure, contestants }: Section): Pair[] =>
  measure === CLIENTS ? contestants.filter((name) => name !== 'ours').map((name) => ['ours', name]) : [];

/** Ratios of servers. A profiler slows each server by a different factor, so `profile` is left out. */
function ratiosTable(sections: readonly Section[]): string {
  const rows = sections
    .filter(({ measure }) => measure !== CLIENTS && measure !== 'profile')
    .flatMap((section) => section.rows)
    .map((row) => [label(row), ...SERVER_PAIRS.map(([subject, other]) => ratioText(ratio(row, other, subject)))])
    .filter((cells) => cells.slice(1, contestantNames.length).some((cell) => cell !== '-'));
  return markdownTable(['', ...SERVER_PAIRS.map((pair) => pair.join('/'))], rows);
}

/** Formats a section: a heading, and a table with a column for each contestant and each pair that both have figures. */
function sectionText(
  { measure, about, date, machine, commit, load, contestants, rows, notes }: Section,
  title = measure,
  pairs: readonly Pair[] = [],
): string {
  const compared = pairs.filter((pair) => pair.every((name) => contestants.includes(name)));
  const table = markdownTable(
    ['', ...contestants, ...compared.map((pair) => pair.join('/'))],
    rows.map((row) => [
      label(row),
      ...contestants.map((name) => figureText(row.figures[name])),
      ...compared.map(([subject, other]) => ratioText(ratio(row, other, subject))),
    ]),
  );
  const remarks = notes.map((note) => `\n\n${note}`).join('');
  const origin = originText({ date, load: `${processorsOf(machine)}, ${load}`, commit });
  return `### ${title}\n\n${upperFirst(about)}. ${origin}.\n\n${table}${remarks}`;
}

const originText = ({ date, load, commit }: Pick<Section, 'date' | 'load'> & { commit?: string | undefined }): string =>
  `${date} UTC, ${load}${commit === undefined ? '' : `, commit ${commit}`}`;

const label = ({ measure, name, better }: Row): string => `${marks[better]} ${measure}: ${name}`.trim();

/** The last part of `hardwareText`: sections of different days may be of different machines. */
const processorsOf = (machine: string): string => machine.split(', ').at(-1) ?? machine;

/** Lists the machines of the sections. */
const machinesText = (sections: readonly Section[]): string =>
  [...new Set(sections.map(({ machine, pinning }) => `${machine}. ${pinning}`))].join('\n\n');

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const absentText = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`Not measured: ${names.join(', ')}.`];

/** Formats the sections of `make bench-isolation`. */
function isolationText(sections: readonly Section[]): string {
  const rows = sections.flatMap((section) => section.rows);
  const absent = isolationParts.map(({ name }) => name).filter((name) => !hasSection(sections, name));
  const paragraphs = [
    ...(sections.length === 0 ? [] : [machinesText(sections), goalsTable(isolationGoals, rows)]),
    ...sections.map((section) => sectionText(section, `${section.measure}, by mode`, modePairs)),
    ...absentText(absent),
  ];
  return paragraphs.join('\n\n');
}

/** Formats the sections of the trace store on one engine. */
function storeText({ engine, sections, extras, absent }: StoreSections): string {
  const notes = new Set(sections.flatMap((section) => section.notes));
  const [header = [], ...lines] = storeTable(
    sections.flatMap(({ rows }) => rows),
    '**not met**',
  );
  const origins = `Measured: ${sections.map(({ measure, ...origin }) => `${measure} ${originText(origin)}`).join('; ')}.`;
  const paragraphs = [
    `### ${engine}`,
    `${upperFirst(engines[engine].about)}.`,
    ...(sections.length === 0 ? [] : [machinesText(sections), markdownTable(header, lines), ...notes, origins]),
    ...absentText(absent),
    ...extras.flatMap((section) => [sectionText(section, `${engine}, ${section.measure}`), growthGoalsTable(section)]),
  ];
  return paragraphs.join('\n\n');
}

/**
 * Bound of the growth of a cost: one in proportion to the database would grow ten times, one by index depth a little.
 */
const MAX_GROWTH = 1.5;
const MIN_SPEED = 1 / MAX_GROWTH;

/**
 * Judges whether costs stayed flat as the database grew: the last three sizes relative to a tenth of the final size.
 */
function growthGoalsTable({ contestants: sizes, rows }: Section): string {
  const [, tenth = '', ...larger] = sizes;
  const lines = rows.filter(isJudged).map(({ name, better, figures }) => {
    const late = median(larger.slice(-3).flatMap((size) => figures[size]?.median ?? []));
    const growth = late / (figures[tenth]?.median ?? Number.NaN);
    const isMet = better === 'more' ? growth >= MIN_SPEED : growth <= MAX_GROWTH;
    const bound = better === 'more' ? `at least ${MIN_SPEED.toFixed(2)}` : `at most ${MAX_GROWTH.toFixed(2)}`;
    return [name, bound, growth.toFixed(2), isMet ? 'met' : '**not met**'];
  });
  return markdownTable([`last three sizes relative to ${tenth}`, 'goal', 'result', ''], lines);
}

/** Judges CPU time instead of wall time, which includes other load on the machine. */
const isJudged = ({ name, better }: Row): boolean => better === 'more' || name.includes('CPU');

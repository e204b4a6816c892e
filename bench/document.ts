import { readFileSync } from 'node:fs';
import { goals } from './goals.ts';
import { goalsTable } from './goals-table.ts';
import { isolationText } from './isolation/document.ts';
import { markdownTable } from './markdown-table.ts';
import { contestantNames, contestants } from './process/contestants.ts';
import { type Pair, ratioText } from './report.ts';
import { ratio } from './results.ts';
import { label, machinesText, sectionText } from './section-text.ts';
import type { Section } from './sections.ts';
import { storeText } from './traces/document.ts';
import type { StoreFigures } from './traces/figures.ts';
import { storeGoals } from './traces/table.ts';

const template = new URL('performance.md', import.meta.url);

/** docs/performance.md: the text of `performance.md` with tables where it has names in braces. */
export function performanceDocument(
  sections: readonly Section[],
  isolation: readonly Section[],
  stores: readonly StoreFigures[],
): string {
  const rows = sections.flatMap((section) => section.rows);
  const parts: Record<string, string> = {
    contestants: Object.entries(contestants)
      .map(([name, { about }]) => `- **${name}**: ${about}`)
      .join('\n'),
    machine: machinesText(sections),
    dates: datesOf(sections),
    goals: goalsTable(goals, rows),
    storeGoals: listOf(stores.map(storeGoalsText)),
    ratios: ratiosTable(sections),
    figures: sections.map((section) => sectionText(section, section.measure, pairsOf(section))).join('\n\n'),
    isolation: isolationText(isolation),
    store: stores.map(storeText).join('\n\n'),
  };
  return readFileSync(template, 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '');
}

function storeGoalsText({ engine, sections }: StoreFigures): string {
  const { met, of } = storeGoals(sections.flatMap(({ rows }) => rows));
  return `${met} of ${of} on ${engine}`;
}

const listOf = (texts: readonly string[]): string => new Intl.ListFormat('en').format(texts);

function datesOf(sections: readonly Section[]): string {
  const days = [...new Set(sections.map(({ date }) => date.slice(0, 10)))].sort();
  return days.length > 1 ? `${days[0]} to ${days.at(-1)}` : (days[0] ?? '');
}

/** Our server by either entrance, and the bare one, which shows how far that is from what Node takes by itself. */
const SERVER_PAIRS: readonly Pair[] = [
  ...contestantNames.filter((name) => name !== 'ours').map((name): Pair => ['ours', name]),
  ...(['reference', 'bare'] as const).map((name): Pair => ['express', name]),
  ['bare', 'reference'],
];

/** Figures of servers divided by those of others; a profiler slows each as it likes. */
function ratiosTable(sections: readonly Section[]): string {
  const rows = sections
    .filter(({ measure }) => measure !== CLIENTS && measure !== 'profile')
    .flatMap((section) => section.rows)
    .map((row) => [label(row), ...SERVER_PAIRS.map(([subject, other]) => ratioText(ratio(row, other, subject)))])
    .filter((cells) => cells.slice(1, contestantNames.length).some((cell) => cell !== '-'));
  return markdownTable(['', ...SERVER_PAIRS.map((pair) => pair.join('/'))], rows);
}

/** Its contestants are clients, some of which have the names of servers. */
const CLIENTS = 'clients';

const pairsOf = ({ measure, contestants }: Section): Pair[] =>
  measure === CLIENTS ? contestants.filter((name) => name !== 'ours').map((name) => ['ours', name]) : [];

import { readFileSync } from 'node:fs';
import { type Goal, goals, judge } from './goals.ts';
import { contestants } from './process/contestants.ts';
import { figureText, marks, ratioText } from './report.ts';
import { type Row, ratio } from './results.ts';
import type { Section } from './sections.ts';

const template = new URL('performance.md', import.meta.url);

/** docs/performance.md: the text of `performance.md` with tables where it has names in braces. */
export function performanceDocument(sections: readonly Section[]): string {
  const rows = sections.flatMap((section) => section.rows);
  const parts: Record<string, string> = {
    contestants: Object.entries(contestants)
      .map(([name, { about }]) => `- **${name}**: ${about}`)
      .join('\n'),
    machine: [...new Set(sections.map(({ machine, pinning }) => `${machine}. ${pinning}`))].join('\n\n'),
    dates: datesOf(sections),
    goals: goalsTable(goals, rows),
    ratios: ratiosTable(sections),
    figures: sections.map(sectionText).join('\n\n'),
  };
  return readFileSync(template, 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => parts[name] ?? '');
}

function datesOf(sections: readonly Section[]): string {
  const days = [...new Set(sections.map(({ date }) => date.slice(0, 10)))].sort();
  return days.length > 1 ? `${days[0]} to ${days.at(-1)}` : (days[0] ?? '');
}

export function goalsTable(list: readonly Goal[], rows: readonly Row[]): string {
  const judged = list.map((goal) => judge(goal, rows));
  return markdownTable(
    ['', 'goal', 'found', ''],
    judged.map(({ what, bound, found = '-', met }) => [what, bound, found, verdictOf(met)]),
  );
}

const verdictOf = (met: boolean | undefined): string =>
  met === undefined ? 'not measured' : met ? 'met' : '**not met**';

/** Our figures divided by those of each other contestant. */
function ratiosTable(sections: readonly Section[]): string {
  const others = Object.keys(contestants).filter((name) => name !== 'ours');
  const rows = sections
    .flatMap((section) => section.rows)
    .map((row) => [label(row), ...others.map((other) => ratioText(ratio(row, other)))])
    .filter((cells) => cells.slice(1).some((cell) => cell !== '-'));
  return markdownTable(['', ...others.map((other) => `ours/${other}`)], rows);
}

function sectionText({ measure, about, date, load, contestants, rows, notes }: Section): string {
  const table = markdownTable(
    ['', ...contestants],
    rows.map((row) => [label(row), ...contestants.map((name) => figureText(row.figures[name]))]),
  );
  const remarks = notes.map((note) => `\n\n${note}`).join('');
  return `### ${measure}\n\n${upperFirst(about)}. ${date} UTC, ${load}.\n\n${table}${remarks}`;
}

const label = ({ measure, name, better }: Row): string => `${marks[better]} ${measure}: ${name}`.trim();

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const rule = header.map((_, column) => (column === 0 ? '---' : '---:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

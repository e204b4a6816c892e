import { markdownTable } from './markdown-table.ts';
import { figureText, marks } from './report.ts';
import type { Row } from './results.ts';
import type { Section } from './sections.ts';

/** The figures of a section under a heading, a column for each contestant. */
export function sectionText(
  { measure, about, date, load, contestants, rows, notes }: Section,
  title = measure,
): string {
  const table = markdownTable(
    ['', ...contestants],
    rows.map((row) => [label(row), ...contestants.map((name) => figureText(row.figures[name]))]),
  );
  const remarks = notes.map((note) => `\n\n${note}`).join('');
  return `### ${title}\n\n${upperFirst(about)}. ${date} UTC, ${load}.\n\n${table}${remarks}`;
}

export const label = ({ measure, name, better }: Row): string => `${marks[better]} ${measure}: ${name}`.trim();

/** What the sections were measured on, each said once. */
export const machinesText = (sections: readonly Section[]): string =>
  [...new Set(sections.map(({ machine, pinning }) => `${machine}. ${pinning}`))].join('\n\n');

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

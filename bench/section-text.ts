import { markdownTable } from './markdown-table.ts';
import { figureText, marks, type Pair, ratioText } from './report.ts';
import { type Row, ratio } from './results.ts';
import type { Section } from './sections.ts';

/** The figures of a section under a heading, a column for each contestant and for each pair that both have figures. */
export function sectionText(
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
  const where = whenText({ date, load: `${processorsOf(machine)}, ${load}`, commit });
  return `### ${title}\n\n${upperFirst(about)}. ${where}.\n\n${table}${remarks}`;
}

/** When, how busy the machine was, and what was measured, where that is known. */
export const whenText = ({
  date,
  load,
  commit,
}: Pick<Section, 'date' | 'load'> & { commit?: string | undefined }): string =>
  `${date} UTC, ${load}${commit === undefined ? '' : `, commit ${commit}`}`;

export const label = ({ measure, name, better }: Row): string => `${marks[better]} ${measure}: ${name}`.trim();

/** The last that `hardwareText` says: parts that were measured on different days may be of different machines. */
const processorsOf = (machine: string): string => machine.split(', ').at(-1) ?? machine;

/** What the sections were measured on, each said once. */
export const machinesText = (sections: readonly Section[]): string =>
  [...new Set(sections.map(({ machine, pinning }) => `${machine}. ${pinning}`))].join('\n\n');

export const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

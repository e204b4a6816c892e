import { goals, type Judged, judge } from './goals.ts';
import { table } from './report.ts';
import { ratio } from './results.ts';
import type { Section } from './sections.ts';

/** What a run found, for a terminal: the figures of each measure, all ratios in one table, the goals. */
export function summary(sections: readonly Section[]): string {
  const rows = sections.flatMap((section) => section.rows);
  const others = [...new Set(sections.flatMap(({ contestants }) => contestants))].filter((name) => name !== 'ours');
  const compared = rows.filter((row) => others.some((other) => ratio(row, other) !== undefined));
  const pairs = others.map((other) => ['ours', other] as const);
  const judged = goals.map((goal) => judge(goal, rows)).filter(({ met }) => met !== undefined);
  return [
    'Median (least-most of the rounds); + more is better, - less is better.',
    ...sections.map(sectionText),
    ...(compared.length > 0 ? [`RATIOS\n${table(compared, [], pairs)}`] : []),
    ...(judged.length > 0 ? [`GOALS\n\n${judged.map(goalText).join('\n')}`] : []),
  ].join('\n\n');
}

function sectionText({ measure, machine, load, pinning, contestants, rows, notes }: Section): string {
  const remarks = notes.map((note) => `\n${note}`).join('');
  return `${measure.toUpperCase()} (${machine}, ${load}; ${pinning})\n${table(rows, contestants, [])}\n${remarks}`.trimEnd();
}

export const goalText = ({ what, bound, found, met }: Judged): string =>
  `${met ? 'met    ' : 'NOT MET'}  ${what}: ${found}, ${bound}`;

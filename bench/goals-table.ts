import { type Goal, judge } from './goals.ts';
import { markdownTable } from './markdown-table.ts';
import type { Row } from './results.ts';

/** What is asked for, what was found, and whether that is enough. */
export function goalsTable(list: readonly Goal[], rows: readonly Row[]): string {
  const judged = list.map((goal) => judge(goal, rows));
  return markdownTable(
    ['', 'goal', 'found', 'in rounds', ''],
    judged.map(({ what, bound, found = '-', rounds, met }) => [
      what,
      bound,
      found,
      rounds ? `${rounds.met} of ${rounds.of}` : '-',
      verdictOf(met),
    ]),
  );
}

const verdictOf = (met: boolean | undefined): string =>
  met === undefined ? 'not measured' : met ? 'met' : '**not met**';

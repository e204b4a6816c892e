import { judge, type Verdict } from '../goals.ts';
import { figureText, marks, ratioText } from '../report.ts';
import { type Row, ratio } from '../results.ts';
import type { StoreMetric } from './store-measure.ts';

/** Formats a header and a line for each row: the figure, the one that it is compared with, the goal and the verdict. */
export const storeTable = (rows: readonly Row<StoreMetric>[]): string[][] => [
  ['', 'result', 'compared with', 'ratio', 'goal', ''],
  ...rows.map(cells),
];

/** Judges the rows that have a goal. */
export const storeVerdicts = (rows: readonly Row<StoreMetric>[]): Verdict[] => rows.filter(hasGoal).map(judgeRow);

const hasGoal = ({ atMost, atLeast }: Row<StoreMetric>): boolean => atMost !== undefined || atLeast !== undefined;

function cells(row: Row<StoreMetric>): string[] {
  const [subject = '', ...others] = Object.keys(row.figures);
  const { bound, met } = judgeRow(row);
  return [
    `${marks[row.better]} ${nameOf(row)}`.trim(),
    figureText(row.figures[subject]),
    others.map((other) => `${other}: ${figureText(row.figures[other])}`).join('; ') || '-',
    others.map((other) => ratioText(ratio(row, other, subject))).join('; ') || '-',
    hasGoal(row) ? bound : '',
    hasGoal(row) ? (met ? 'met' : 'NOT MET') : '',
  ];
}

const nameOf = ({ mark, name }: Row<StoreMetric>): string => [mark, name].filter(Boolean).join(' ');

/** Judges the ratio of our figure of a row to the best other one, or its only figure. */
function judgeRow(row: Row<StoreMetric>): Verdict {
  const { measure, name, atMost, atLeast } = row;
  const [subject = '', ...others] = Object.keys(row.figures);
  const select = (of: string | readonly string[]) => ({ measure, metric: name, of });
  const dividedBy = others.length === 0 ? undefined : select(others);
  const divisor = others.length > 1 ? 'best other' : others[0];
  const what = divisor === undefined ? nameOf(row) : `${nameOf(row)}, ${subject}/${divisor}`;
  return judge({ what, value: select(subject), dividedBy, atMost, atLeast }, [row]);
}

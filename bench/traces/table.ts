import { judge, type Verdict } from '../goals.ts';
import { figureText, marks, ratioText } from '../report.ts';
import { type Row, ratio } from '../results.ts';
import type { StoreMetric } from './store-measure.ts';

/** Formats a header and a line for each row: the figure, the one that it is compared with, the goal and the verdict. */
export const storeTable = (rows: readonly Row<StoreMetric>[], notMet = 'NOT MET'): string[][] => [
  ['', 'result', 'compared with', 'ratio', 'goal', ''],
  ...rows.map((row) => cells(row, notMet)),
];

/** Counts the goals of the rows, and those that are met. */
export function storeGoals(rows: readonly Row<StoreMetric>[]): { met: number; of: number } {
  const verdicts = rows.filter(hasGoal).map((row) => judgeRow(row, ...figureNames(row)).met);
  return { met: verdicts.filter((met) => met).length, of: verdicts.length };
}

const hasGoal = ({ atMost, atLeast }: Row<StoreMetric>): boolean => atMost !== undefined || atLeast !== undefined;

function figureNames({ figures }: Row<StoreMetric>): [subject: string, other: string | undefined] {
  const [subject = '', other] = Object.keys(figures);
  return [subject, other];
}

function cells(row: Row<StoreMetric>, notMet: string): string[] {
  const [subject, other] = figureNames(row);
  const { bound, met } = judgeRow(row, subject, other);
  const unit = other === undefined ? '' : ' x';
  const stretch = row.stretch === undefined ? '' : `, stretch goal ${row.stretch.toFixed(2)}${unit}`;
  const isStretched = row.stretch !== undefined && judgeRow({ ...row, atLeast: row.stretch }, subject, other).met;
  return [
    `${marks[row.better]} ${row.mark ?? ''} ${row.name}`.replaceAll(/ +/g, ' ').trim(),
    figureText(row.figures[subject]),
    other === undefined ? '-' : `${other}: ${figureText(row.figures[other])}`,
    other === undefined ? '-' : ratioText(ratio(row, other, subject)),
    hasGoal(row) ? `${bound}${unit}${stretch}` : '',
    hasGoal(row) ? (met ? `met${isStretched ? ', with the stretch goal' : ''}` : notMet) : '',
  ];
}

function judgeRow(row: Row<StoreMetric>, subject: string, other: string | undefined): Verdict {
  const { measure, name, atMost, atLeast } = row;
  const select = (of: string) => ({ measure, metric: name, of });
  const dividedBy = other === undefined ? undefined : select(other);
  return judge({ what: name, value: select(subject), dividedBy, atMost, atLeast }, [row]);
}

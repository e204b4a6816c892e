import { type Judged, judge } from '../goals.ts';
import { figureText, marks, ratioText } from '../report.ts';
import { type Row, ratio } from '../results.ts';
import type { StoreMetric } from './row.ts';

/** A line of headings, then one for each figure: what it is held against, and whether it keeps to that. */
export const storeTable = (rows: readonly Row<StoreMetric>[], notMet = 'NOT MET'): string[][] => [
  ['', 'found', 'beside', 'ratio', 'goal', ''],
  ...rows.map((row) => cells(row, notMet)),
];

/** How many of the rows' goals are met, and how many there are. */
export function storeGoals(rows: readonly Row<StoreMetric>[]): { met: number; of: number } {
  const verdicts = rows.filter(isGoal).map((row) => judgeRow(row, ...namesIn(row)).met);
  return { met: verdicts.filter((met) => met).length, of: verdicts.length };
}

const isGoal = ({ atMost, atLeast }: Row<StoreMetric>): boolean => atMost !== undefined || atLeast !== undefined;

/** The store's, and what stands beside it. */
function namesIn({ figures }: Row<StoreMetric>): [subject: string, other: string | undefined] {
  const [subject = '', other] = Object.keys(figures);
  return [subject, other];
}

function cells(row: Row<StoreMetric>, notMet: string): string[] {
  const [subject, other] = namesIn(row);
  const { bound, met } = judgeRow(row, subject, other);
  const unit = other === undefined ? '' : ' x';
  const stretch = row.stretch === undefined ? '' : `, stretch ${row.stretch.toFixed(2)}${unit}`;
  const isStretched = row.stretch !== undefined && judgeRow({ ...row, atLeast: row.stretch }, subject, other).met;
  return [
    `${marks[row.better]} ${row.mark ?? ''} ${row.name}`.replaceAll(/ +/g, ' ').trim(),
    figureText(row.figures[subject]),
    other === undefined ? '-' : `${other}: ${figureText(row.figures[other])}`,
    other === undefined ? '-' : ratioText(ratio(row, other, subject)),
    isGoal(row) ? `${bound}${unit}${stretch}` : '',
    isGoal(row) ? (met ? `met${isStretched ? ', and the stretch' : ''}` : notMet) : '',
  ];
}

function judgeRow(row: Row<StoreMetric>, subject: string, other: string | undefined): Judged {
  const { measure, name, atMost, atLeast } = row;
  const figureOf = (of: string) => ({ measure, metric: name, of });
  const through = other === undefined ? undefined : figureOf(other);
  return judge({ what: name, value: figureOf(subject), through, atMost, atLeast }, [row]);
}

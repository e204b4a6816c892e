import { errorMessage } from '../src/core/index.ts';
import { median } from './statistics.ts';

export interface Metric {
  measure: string;
  /** Name with the unit. */
  name: string;
  better: 'more' | 'less' | 'neither';
}

export interface Figure {
  median: number;
  min: number;
  max: number;
  rounds: number;
  /** Values by round; missing in sections that an older version kept. */
  values?: readonly number[];
}

/** A metric with its figures by contestant. */
export type Row<M extends Metric = Metric> = M & { figures: Partial<Record<string, Figure>> };

/** The errors of one contestant in one measure. */
export interface Fault {
  measure: string;
  contestant: string;
  count: number;
  first: string;
}

/** Collects the figures, errors and notes of one measure. */
export class Results<M extends Metric = Metric> {
  readonly #values = new Map<string, { metric: M; values: Map<string, number[]> }>();
  readonly #faults = new Map<string, Fault>();
  readonly notes = new Set<string>();

  record(metric: M, contestant: string, value: number): void {
    const key = `${metric.measure}: ${metric.name}`;
    const entry = this.#values.get(key) ?? { metric, values: new Map() };
    this.#values.set(key, entry);
    entry.values.set(contestant, [...(entry.values.get(contestant) ?? []), value]);
  }

  fault(measure: string, contestant: string, error: unknown): void {
    const first = errorMessage(error);
    const fault = this.#faults.get(`${measure}: ${contestant}`) ?? { measure, contestant, count: 0, first };
    fault.count += 1;
    this.#faults.set(`${measure}: ${contestant}`, fault);
  }

  get faults(): Fault[] {
    return [...this.#faults.values()];
  }

  get rows(): Row<M>[] {
    return [...this.#values.values()].map(({ metric, values }) => ({
      ...metric,
      figures: Object.fromEntries([...values].map(([name, list]) => [name, figureOf(list)])),
    }));
  }
}

function figureOf(values: readonly number[]): Figure {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), rounds: values.length, values };
}

/** Divides the figure of `subject` by that of `other`; undefined if one of them is missing. */
export function ratio({ figures }: Row, other: string, subject = 'ours'): number | undefined {
  return figureRatio(figures[subject], figures[other]);
}

/**
 * Divides one figure by another: the median of the ratios of the rounds, because the speed of the machine changes
 * between rounds, but is the same for both within one. Divides the medians if the numbers of known rounds differ.
 */
export function figureRatio(dividend: Figure | undefined, divisor: Figure | undefined): number | undefined {
  if (dividend === undefined || divisor === undefined) return undefined;
  const byRound = ratiosByRound(dividend, divisor);
  const value = byRound.length > 0 ? median(byRound) : dividend.median / divisor.median;
  return Number.isFinite(value) ? value : undefined;
}

/** Ratios by round; empty if the numbers of known rounds differ. */
export function ratiosByRound(dividend: Figure, divisor: Figure): readonly number[] {
  const divisors = divisor.values ?? [];
  const dividends = dividend.values?.length === divisors.length ? dividend.values : [];
  return dividends.map((value, round) => value / (divisors[round] ?? Number.NaN));
}

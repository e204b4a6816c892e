import { errorMessage } from '../src/core/index.ts';
import { median } from './load/statistics.ts';
import type { Metric } from './measures/measure.ts';

export interface Figure {
  median: number;
  min: number;
  max: number;
  rounds: number;
  /** What each round found, in their order; missing in what was kept by an older version. */
  values?: readonly number[];
}

export type Row<Of extends Metric = Metric> = Of & { figures: Partial<Record<string, Figure>> };

export interface Fault {
  measure: string;
  contestant: string;
  count: number;
  first: string;
}

/** Everything that one run found. */
export class Results<Of extends Metric = Metric> {
  readonly #values = new Map<string, { metric: Of; values: Map<string, number[]> }>();
  readonly #faults = new Map<string, Fault>();
  readonly notes = new Set<string>();

  record(metric: Of, contestant: string, value: number): void {
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

  get rows(): Row<Of>[] {
    return [...this.#values.values()].map(({ metric, values }) => ({
      ...metric,
      figures: Object.fromEntries([...values].map(([name, list]) => [name, figureOf(list)])),
    }));
  }
}

function figureOf(values: readonly number[]): Figure {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), rounds: values.length, values };
}

/** Ours, or another subject, divided by the other; undefined where one of them is missing. */
export function ratio({ figures }: Row, other: string, subject = 'ours'): number | undefined {
  return quotient(figures[subject], figures[other]);
}

/**
 * One figure divided by another: the median of the rounds' quotients, since the machine is as fast for both in one round
 * and not from round to round; that of the medians where not as many rounds are known of both.
 */
export function quotient(one: Figure | undefined, other: Figure | undefined): number | undefined {
  if (one === undefined || other === undefined) return undefined;
  const byRound = quotients(one, other);
  const found = byRound.length > 0 ? median(byRound) : one.median / other.median;
  return Number.isFinite(found) ? found : undefined;
}

/** Round by round; none where not as many rounds are known of both. */
export function quotients(one: Figure, other: Figure): readonly number[] {
  const divisors = other.values ?? [];
  const dividends = one.values?.length === divisors.length ? one.values : [];
  return dividends.map((value, round) => value / (divisors[round] ?? Number.NaN));
}

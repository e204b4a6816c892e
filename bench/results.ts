import { median } from './load/statistics.ts';
import type { Metric } from './measures/measure.ts';

export interface Figure {
  median: number;
  min: number;
  max: number;
  rounds: number;
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
    const first = error instanceof Error ? error.message : String(error);
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
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), rounds: values.length };
}

/** Ours, or another subject, divided by the other, of medians; undefined where one of them is missing. */
export function ratio({ figures }: Row, other: string, subject = 'ours'): number | undefined {
  const quotient = (figures[subject]?.median ?? Number.NaN) / (figures[other]?.median ?? Number.NaN);
  return Number.isFinite(quotient) ? quotient : undefined;
}

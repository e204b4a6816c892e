import type { Metric } from '../measures/measure.ts';

/** What is measured of the store, and what it must keep to. */
export interface StoreMetric extends Metric {
  /** T1 to T10, where it is one of what was asked of the store. */
  mark?: string;
  /** Of the figure; where another stands beside it, of the figure divided by the other. */
  atMost?: number;
  atLeast?: number;
  /** What was hoped for beyond `atLeast`. */
  stretch?: number;
}

/** What one round found of one thing. */
export interface Row extends Omit<StoreMetric, 'measure'> {
  /** The store's comes first. Where there are two, the other was measured beside it, in the same round. */
  figures: Readonly<Record<string, number>>;
}

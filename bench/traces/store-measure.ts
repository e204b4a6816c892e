import type { Metric } from '../results.ts';
import type { Engine } from './engine.ts';

/** A metric of the trace store with its goal. */
export interface StoreMetric extends Metric {
  /** T1 to T10, if it is one of the goals of the store. */
  mark?: string;
  /** Bound of the ratio to the best other figure if the row has several, else of the figure. */
  atMost?: number;
  atLeast?: number;
}

/** The result of one round. */
export interface StoreRow extends Omit<StoreMetric, 'measure'> {
  /** The store's figure, and optionally one to compare it with, measured in the same round. */
  figures: Readonly<Record<string, number>>;
}

/** Input of one round. */
export interface RoundContext {
  /** Number of blocks to write, in parts that let it be chosen. */
  readonly blocks: number;
  /** Called at the start of each step of a part that takes minutes. */
  progress(step: string): void;
}

/** Runs one round of a measure. */
export type StoreMeasure = (engine: Engine, round: RoundContext) => Promise<StoreRow[]>;

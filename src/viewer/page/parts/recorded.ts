import type { Trace } from '../../../../generated/trace.ts';
import { sum } from '../../../core/index.ts';
import { readTokenUsage } from './usage.ts';

/** When a trace was made. Imports give it times of their own, and keep those that it had. */
export interface TraceTimes {
  readonly created_at: string;
  readonly finished_at: string | null;
  /** When it came into this store, where that was later. */
  readonly imported_at: string | undefined;
}

export function toTraceTimes({
  metadata,
  created_at,
  finished_at,
}: Pick<Trace, 'metadata' | 'created_at' | 'finished_at'>): TraceTimes {
  const own = Object(metadata.imported) as { readonly created_at?: unknown; readonly finished_at?: unknown };
  if (!isTime(own.created_at)) return { created_at, finished_at, imported_at: undefined };
  const end = isTime(own.finished_at) ? own.finished_at : null;
  return { created_at: own.created_at, finished_at: end, imported_at: created_at };
}

const isTime = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** Tokens of all traces that say how many they took; undefined where none does. */
export function totalTokens(traces: readonly Pick<Trace, 'metadata' | 'rollout_info'>[]): number | undefined {
  const given = traces.flatMap((trace) => readTokenUsage(trace)?.total ?? []);
  return given.length === 0 ? undefined : sum(given);
}

import type { Break } from './break.ts';
import { breaksOfPages } from './of-pages.ts';
import { breaksOfPayloads } from './of-payloads.ts';
import { breaksOfTraces } from './of-traces.ts';

/** All breaks, at least one per point. */
export const breaks: readonly Break[] = [...breaksOfPages, ...breaksOfTraces, ...breaksOfPayloads].sort(
  (one, other) => one.point - other.point,
);

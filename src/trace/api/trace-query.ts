import { parseScoreCondition, TraceStoreError, validationError } from '../model/index.ts';
import type { TraceQuery } from '../store/index.ts';

/** Filters and order of traces as in the query of a request. */
export type TraceParameters = Omit<TraceQuery, 'limit' | 'sort' | 'score'> & {
  readonly sort?: string;
  readonly score?: string;
};

/** Converts the query of a request. @throws TraceStoreError VALIDATION for an invalid `score`. */
export function toTraceQuery({ sort, score: text, ...query }: TraceParameters): Omit<TraceQuery, 'limit'> {
  const score = text === undefined ? undefined : parseScoreCondition(text);
  if (text !== undefined && score === undefined) {
    const expected = 'a name, or a comparison such as correctness>=0.5 or category=good';
    throw new TraceStoreError(validationError([{ path: '/score', rule: 'score', expected, got: 'other text' }]));
  }
  // The validator has checked the sort key.
  const order = sort === undefined ? {} : { sort: sort as NonNullable<TraceQuery['sort']> };
  return { ...query, ...order, ...(score !== undefined && { score }) };
}

import type { BlockHit } from '../../../../generated/trace.ts';
import { definedFields, groupBy } from '../../../core/index.ts';
import { booleanParam, textParams } from '../api/location.ts';

/** Hits of one trace in order. */
export interface TraceHits {
  readonly traceId: string;
  readonly hits: readonly BlockHit[];
}

/** Groups hits by trace, in the order of their first hits. */
export function groupHitsByTrace(hits: readonly BlockHit[]): readonly TraceHits[] {
  const traces = groupBy(hits, (hit) => hit.trace_id);
  return Array.from(traces, ([traceId, own]) => ({ traceId, hits: own }));
}

/** Search parameters; each field is a query parameter of the address and of the API. */
export interface SearchQuery {
  readonly q?: string;
  readonly name?: string;
  readonly run?: string;
  readonly environment?: string;
  readonly group_id?: string;
  readonly trace_id?: string;
  readonly sub_type?: SubType;
  readonly has_error?: boolean;
}

export const SUB_TYPES = ['MESSAGE', 'THINK', 'TOOL_CALL', 'TOOL_RESULT'] as const;
type SubType = (typeof SUB_TYPES)[number];
const TEXTS = ['q', 'name', 'run', 'environment', 'group_id', 'trace_id'] as const;

/** Reads the search parameters of an address. */
export function readSearchQuery(query: URLSearchParams): SearchQuery {
  return definedFields({
    ...textParams(query, TEXTS),
    sub_type: SUB_TYPES.find((type) => type === query.get('sub_type')),
    has_error: booleanParam(query, 'has_error'),
  });
}

/** Returns the query parameters with invalid values. */
export function unknownSearchParams(query: URLSearchParams): readonly string[] {
  const requested = readSearchQuery(query);
  return (['sub_type', 'has_error'] as const).filter((name) => query.get(name) && requested[name] === undefined);
}

/** Returns whether there is something to search for, and not only a place to search in. */
export const hasSearchTerm = ({ q, name, sub_type, has_error }: SearchQuery): boolean =>
  [q, name, sub_type, has_error].some((value) => value !== undefined);

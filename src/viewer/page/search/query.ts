import type { BlockHit } from '../../../../generated/trace.ts';
import { definedFields, groupBy } from '../../../core/index.ts';
import { booleanParam, textParams } from '../api/location.ts';

/** Groups hits by trace, in the order of their first hits. */
export const groupHitsByTrace = (hits: readonly BlockHit[]) =>
  Array.from(
    groupBy(hits, (hit) => hit.trace_id),
    ([traceId, own]) => ({ traceId, hits: own }),
  );

const SUB_TYPES = ['MESSAGE', 'THINK', 'TOOL_CALL', 'TOOL_RESULT'] as const;
const TEXTS = ['q', 'name', 'run', 'environment', 'group_id', 'trace_id'] as const;

/** Search parameters; each field is a query parameter of the address and of the API. */
export type SearchQuery = ReturnType<typeof readSearchQuery>;

/** Reads the search parameters of an address. */
export const readSearchQuery = (query: URLSearchParams) =>
  definedFields({
    ...textParams(query, TEXTS),
    sub_type: SUB_TYPES.find((type) => type === query.get('sub_type')),
    has_error: booleanParam(query, 'has_error'),
  });

/** Returns the query parameters with invalid values. */
export function unknownSearchParams(query: URLSearchParams): readonly string[] {
  const requested = readSearchQuery(query);
  return (['sub_type', 'has_error'] as const).filter((name) => query.get(name) && requested[name] === undefined);
}

/** Returns whether there is something to search for, and not only where to search. */
export const hasSearchTerm = ({ q, name, sub_type, has_error }: SearchQuery): boolean =>
  [q, name, sub_type, has_error].some((value) => value !== undefined);

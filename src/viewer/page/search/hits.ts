import type { BlockHit } from '../../../../generated/trace.ts';
import { definedFields, groupBy } from '../../../core/index.ts';

/** The hits of one trace, in its order. */
export interface TraceHits {
  readonly traceId: string;
  readonly hits: readonly BlockHit[];
}

/** Hits by trace, in the order in which the traces first come. */
export function groupHitsByTrace(hits: readonly BlockHit[]): readonly TraceHits[] {
  const traces = groupBy(hits, (hit) => hit.trace_id);
  return Array.from(traces, ([traceId, own]) => ({ traceId, hits: own }));
}

/** What is searched for; each field stands in the address under its name, and is a parameter of the API. */
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
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false };

/** What an address asks for. */
export function readSearchQuery(query: URLSearchParams): SearchQuery {
  const given = {
    ...Object.fromEntries(TEXTS.map((name) => [name, query.get(name) || undefined])),
    sub_type: SUB_TYPES.find((type) => type === query.get('sub_type')),
    has_error: BOOLEANS[query.get('has_error') ?? ''],
  };
  return definedFields(given);
}

/** Names of an address that mean nothing for a search. */
export function unknownSearchParams(query: URLSearchParams): readonly string[] {
  const requested = readSearchQuery(query);
  return (['sub_type', 'has_error'] as const).filter((name) => query.get(name) && requested[name] === undefined);
}

/** Whether something is searched for, and not only where. */
export const hasSearchTerm = ({ q, name, sub_type, has_error }: SearchQuery): boolean =>
  [q, name, sub_type, has_error].some((value) => value !== undefined);

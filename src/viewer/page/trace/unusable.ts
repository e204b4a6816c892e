import { parseRowFilters } from './visible-rows.ts';

/** Names of an address that mean nothing for a trace: `only` without any kind of block. */
export const unknownTraceParams = (query: URLSearchParams): readonly string[] =>
  query.get('only') && parseRowFilters(query.get('only')).size === 0 ? ['only'] : [];

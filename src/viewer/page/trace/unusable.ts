import { filtersIn } from './visible-rows.ts';

/** Names of an address that mean nothing for a trace: `only` without any kind of block. */
export const unusableIn = (query: URLSearchParams): readonly string[] =>
  query.get('only') && filtersIn(query.get('only')).size === 0 ? ['only'] : [];

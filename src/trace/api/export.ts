import type { Block, Score, Trace } from '../../../generated/trace.ts';
import { parseExactJson } from '../../core/index.ts';
import { readRestoredTrace } from '../fit/index.ts';
import type { ExportFormat } from '../formats/index.ts';
import {
  isSearchProblem,
  parseScoreCondition,
  parseSearch,
  parseTraceFilter,
  type SearchQuery,
  type StoredBlock,
  selectTraces,
  type TraceReader,
  type TraceSelection,
  TraceStoreError,
  validationError,
} from '../model/index.ts';
import { allItems, type BlockQuery, type TraceQuery, type TraceStore } from '../store/index.ts';

/** Maximum size of a read; single blocks can have megabytes. */
const BLOCK_PAGE = { limit: 100, bytes: 1024 * 1024 };
const TRACES_PER_PAGE = 100;

/** Exports one trace. */
export function streamTraceExport(
  store: TraceStore,
  org: string,
  trace: Trace,
  format: ExportFormat,
): AsyncIterable<string> {
  const readTexts = (query: BlockQuery) => store.texts(org, trace.id, query);
  return format.write({
    trace,
    texts: () => readPages(trace, readTexts, ({ members }) => `{${members}}`),
    restored: () => readWholeTrace(store, org, trace),
    blob: (sha256) => store.blob(org, sha256),
    scores: () => readScores(store, org, trace),
  });
}

/** Reads a trace with its split and offloaded values restored. A large trace has at most one batch in memory. */
export function readWholeTrace(store: TraceStore, org: string, trace: Trace): Promise<TraceReader> {
  const readBlocks = (query: BlockQuery) => store.blocks(org, trace.id, query);
  return readRestoredTrace(trace, {
    blocks: () => readPages(trace, readBlocks, ({ block }) => block),
    positions: () => store.positions(org, trace.id, trace.block_count + 1),
    blocksAt: (ords: readonly number[]) => blocksAt(store, org, trace, ords),
    blob: async (sha256: string) => (await store.blob(org, sha256))?.data,
  });
}

/** Which traces are exported, as in the query of a request. */
export type ExportQuery = Omit<TraceParameters, 'sort' | 'order' | 'cursor'> &
  Pick<TraceSelection, 'best' | 'per'> & {
    readonly where?: string;
  };

/**
 * Lists the traces of a query, oldest first, as they are when they are reached. Traces that are deleted before are left
 * out.
 *
 * @throws TraceStoreError VALIDATION for an invalid `where`.
 */
export function listExported(store: TraceStore, org: string, query: ExportQuery): AsyncIterable<Trace> {
  const { where: text, best, per, ...filters } = query;
  const where = text === undefined ? undefined : parseTraceFilter(text);
  if (where && 'expected' in where) {
    throw new TraceStoreError(validationError([{ path: '/where', rule: 'where', ...where }]));
  }
  const scoresOf = (trace: Trace) => readScores(store, org, trace);
  return currentTraces(
    store,
    org,
    selectTraces(listOldestFirst(store, org, toTraceQuery(filters)), { where, best, per, scoresOf }),
  );
}

/** Reads the scores of a trace and its blocks. */
export async function readScores(store: TraceStore, org: string, { id }: Trace): Promise<readonly Score[]> {
  const scores: Score[] = [];
  const pages = allItems((cursor) => store.scores(org, { trace_id: id, limit: 1000, ...cursor }));
  for await (const score of pages) scores.push(score);
  return scores;
}

function listOldestFirst(store: TraceStore, org: string, query: Omit<TraceQuery, 'limit'>): AsyncGenerator<Trace> {
  const order = { sort: 'created', order: 'asc', limit: TRACES_PER_PAGE } as const;
  return allItems((cursor) => store.traces(org, { ...query, ...order, ...cursor }));
}

async function* currentTraces(store: TraceStore, org: string, traces: AsyncIterable<Trace>): AsyncGenerator<Trace> {
  for await (const { id } of traces) {
    const trace = await store.trace(org, id).catch((error: unknown) => {
      if (!(error instanceof TraceStoreError)) throw error;
    });
    if (trace) yield trace;
  }
}

/** Reads the blocks that the trace had when it was read, so that both are of the same moment. */
async function* readPages<T extends { readonly ord: number }, R>(
  { block_count }: Trace,
  read: (query: BlockQuery) => Promise<readonly T[]>,
  convert: (item: T) => R,
): AsyncIterable<readonly R[]> {
  let after = 0;
  while (after < block_count) {
    const page = await read({ after, before: block_count + 1, ...BLOCK_PAGE });
    yield page.map(convert);
    after = page.at(-1)?.ord ?? block_count;
  }
}

async function blocksAt(
  store: TraceStore,
  org: string,
  { id }: Trace,
  ords: readonly number[],
): Promise<readonly StoredBlock[]> {
  // The reader has limited the batch already, so sizes do not matter.
  const nodes = ords.map((ord) => ({ ord, bytes: 0 }));
  const texts = await store.textsAt(org, id, nodes, 'all');
  return texts.map(({ ord, members }) => ({ ord, block: parseExactJson(`{${members}}`) as Block }));
}

/** Filters and order of traces as in the query of a request. */
export type TraceParameters = Omit<TraceQuery, 'limit' | 'sort' | 'score' | 'query'> & {
  readonly sort?: string;
  readonly score?: string;
  readonly query?: string;
};

/** Parses the query of a search. @throws TraceStoreError VALIDATION with the position of the problem. */
export function toSearchQuery(text: string): SearchQuery {
  const query = parseSearch(text);
  if (!isSearchProblem(query)) return query;
  const { position, expected, got, advice } = query;
  throw invalidQuery(`${expected} at character ${position + 1} (${advice})`, got);
}

const invalidQuery = (expected: string, got: string): TraceStoreError =>
  new TraceStoreError(validationError([{ path: '/query', rule: 'query', expected, got }]));

/** Parses a query that selects traces. @throws TraceStoreError VALIDATION also if it has a text. */
export function toTraceSearch(text: string): SearchQuery {
  const query = toSearchQuery(text);
  const term = query.terms.find(({ field }) => field === undefined);
  if (!term) return query;
  throw invalidQuery(`fields only at character ${term.position + 1} (the operation search finds texts)`, 'a text');
}

/** Converts the query of a request. @throws TraceStoreError VALIDATION for an invalid `score` or `query`. */
export function toTraceQuery({
  sort,
  score: text,
  query: search,
  ...query
}: TraceParameters): Omit<TraceQuery, 'limit'> {
  const score = text === undefined ? undefined : parseScoreCondition(text);
  if (text !== undefined && score === undefined) {
    const expected = 'a name, or a comparison such as correctness>=0.5 or category=good';
    throw new TraceStoreError(validationError([{ path: '/score', rule: 'score', expected, got: 'other text' }]));
  }
  // The validator has checked the sort key.
  const order = sort === undefined ? {} : { sort: sort as NonNullable<TraceQuery['sort']> };
  const parsed = search === undefined ? undefined : toTraceSearch(search);
  return { ...query, ...order, ...(score !== undefined && { score }), ...(parsed && { query: parsed }) };
}

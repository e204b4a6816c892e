import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BlockHit, BlockId, BlockSkeleton, SearchHit, TraceId } from '../../../generated/trace.ts';
import { countFitting, oneLine, tryParseJson } from '../../core/index.ts';
import { failureMessage, searchTexts } from '../model/index.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import { createTextSearch } from './text-search.ts';
import type { BlockSearchQuery, QuerySearch, SearchBudget, StorePage } from './trace-store.ts';

/** Default work for one page; the batch that exceeds it is completed. */
const DEFAULT_BUDGET: SearchBudget = { blocks: 100_000, bytes: 64 * 1024 * 1024, ms: 200 };

/** Number of payloads in the first read; doubles with each read. */
const FIRST_PAYLOADS = 50;
/** Maximum size of the payloads of one read; a single payload may exceed it. */
const PAYLOAD_BYTES = 2 * 1024 * 1024;

/** Number of traces that are read at a time. */
const TRACES = 256;
/** Blocks of the first batch, because hits may be frequent; doubles with each batch. */
const FIRST_BLOCKS = 250;
const MAX_BLOCKS = 4000;
/** Maximum size of the blocks of a batch, assuming that the blocks of a trace have the same size. */
const BATCH_BYTES = 8 * 1024 * 1024;

const LIST = 'hits';

/** Reads of a search in a store; the source knows the query. */
export interface SearchSource<Trace extends SearchedTrace = SearchedTrace> {
  /** Reads the traces at and behind a position, newest first, then by descending id. */
  traces(position: TraceSearchPosition | undefined, limit: number): Promise<readonly Trace[]>;
  /** Reads the blocks that may be hits, in any order. A single range may be a part of a trace; several are whole traces. */
  candidates(ranges: readonly OrdinalRange<Trace>[]): Promise<readonly SearchCandidate[]>;
  /** Reads payloads as JSON; omits blocks that were deleted. */
  payloads(ids: readonly BlockId[]): Promise<ReadonlyMap<BlockId, string>>;
  /** Reads skeletons; omits blocks that were deleted. */
  skeletons(ids: readonly BlockId[]): Promise<ReadonlyMap<BlockId, BlockSkeleton>>;
}

export interface SearchedTrace {
  readonly id: TraceId;
  readonly created_us: number;
  readonly block_count: number;
  /** Size of its blocks if they are read to search a text, else 0. */
  readonly bytes: number;
  /** False if none of its blocks can be a hit. */
  readonly mayMatch: boolean;
}

/** Position of a trace in the order of the search. */
export interface TraceSearchPosition extends Pick<SearchedTrace, 'created_us' | 'id'> {
  /** Excludes the trace itself. */
  readonly isSearched: boolean;
}

/** Consecutive ordinals of a trace, greater than `after` and less than `before`. */
export interface OrdinalRange<Trace extends SearchedTrace = SearchedTrace> {
  readonly trace: Trace;
  readonly after: number;
  readonly before: number;
}

export interface SearchCandidate {
  readonly trace_id: TraceId;
  readonly ord: number;
  readonly id: BlockId;
  readonly bytes: number;
  /** Name of the tool of a call or a result; undefined if the search does not return it. */
  readonly tool?: string | null;
}

/** The last block that was searched. */
interface SearchPosition extends Pick<SearchedTrace, 'created_us' | 'id'> {
  readonly ord: number;
}

interface FoundBlock {
  readonly candidate: SearchCandidate;
  readonly excerpt: string | null;
}

/**
 * Returns one page of hits. The page ends when it is full or its budget is spent.
 *
 * @throws TraceStoreError VALIDATION for an invalid cursor.
 */
export const findBlocks = <Trace extends SearchedTrace>(
  source: SearchSource<Trace>,
  { q, ...page }: BlockSearchQuery,
): Promise<StorePage<BlockHit>> =>
  searchPage(source, page, {
    readsPayloads: q !== undefined,
    match: createMatcher(source, { texts: q === undefined ? [] : [q] }),
    async read(found) {
      const skeletons = await readSkeletons(source, found);
      return found.flatMap(({ candidate: { id, trace_id }, excerpt }) => {
        const block = skeletons.get(id);
        return block ? [{ trace_id, block, excerpt }] : [];
      });
    },
  });

/** Like `findBlocks`, for a query; the source knows its terms about traces and blocks. */
export function searchBlocks<Trace extends SearchedTrace>(
  source: SearchSource<Trace>,
  { query, ...page }: QuerySearch,
): Promise<StorePage<SearchHit>> {
  const texts = searchTexts(query);
  const others = searchTexts(query, true);
  return searchPage(source, page, {
    readsPayloads: texts.length + others.length > 0,
    match: createMatcher(source, { texts, others, isClean: true }),
    async read(found) {
      const skeletons = await readSkeletons(source, found);
      const failed = found.flatMap(({ candidate }) => (skeletons.get(candidate.id)?.is_error ? [candidate] : []));
      const messages = await readFailures(source, failed);
      return found.flatMap(({ candidate: { id, trace_id, tool = null }, excerpt }) => {
        const block = skeletons.get(id);
        const error = messages.get(id) ?? null;
        return block ? [{ trace_id, block, tool, text: oneLine(excerpt ?? block.preview), error }] : [];
      });
    },
  });
}

const readSkeletons = (source: SearchSource, found: readonly FoundBlock[]) =>
  source.skeletons(found.map(({ candidate }) => candidate.id));

/** Reads the messages of failed results. */
async function readFailures(
  source: SearchSource,
  failed: readonly SearchCandidate[],
): Promise<ReadonlyMap<BlockId, string>> {
  const messages = new Map<BlockId, string>();
  for (const part of payloadReads(failed)) {
    const payloads = await source.payloads(part.map(({ id }) => id));
    for (const [id, payload] of payloads) messages.set(id, failureMessage(tryParseJson(payload)));
    await nextTurn();
  }
  return messages;
}

interface SearchRun<Hit> {
  readonly readsPayloads: boolean;
  /** Returns the hits among candidates. */
  readonly match: (part: readonly SearchCandidate[]) => Promise<readonly FoundBlock[]>;
  readonly read: (found: readonly FoundBlock[]) => Promise<readonly Hit[]>;
}

async function searchPage<Trace extends SearchedTrace, Hit>(
  source: SearchSource<Trace>,
  { cursor, limit, effort }: Pick<BlockSearchQuery, 'cursor' | 'limit' | 'effort'>,
  { readsPayloads, match, read }: SearchRun<Hit>,
): Promise<StorePage<Hit>> {
  const from = cursor === undefined ? undefined : readCursor(cursor);
  const meter = createMeter({ ...DEFAULT_BUDGET, ...effort });
  const found: FoundBlock[] = [];
  const isOver = () => found.length === limit || meter.isSpent();
  const toPage = async (last: SearchPosition | undefined): Promise<StorePage<Hit>> => ({
    items: await read(found),
    next_cursor: last ? encodeCursor(LIST, [last.created_us, last.id, last.ord]) : null,
  });
  let end: SearchPosition | undefined;
  for await (const batch of searchBatches(source, from)) {
    // Checked here and not after the previous batch: now it is certain that more follows.
    if (end && isOver()) return await toPage(end);
    const candidates = sortCandidates(batch, await source.candidates(batch.ranges));
    for (const part of readsPayloads ? payloadReads(candidates) : [candidates]) {
      const hits = (await match(part)).slice(0, limit - found.length);
      found.push(...hits);
      const last = found.length === limit ? hits.at(-1)?.candidate : part.at(-1);
      if (last && last !== candidates.at(-1) && isOver()) return await toPage(positionOf(batch, last));
      await nextTurn();
    }
    // Yields to other work also if there was nothing to read.
    if (candidates.length === 0) await nextTurn();
    meter.add(batch);
    end = batch.end;
  }
  return await toPage(undefined);
}

interface SearchedTexts {
  readonly texts: readonly string[];
  readonly others?: readonly string[];
  /** Set if excerpts have no escape sequences. */
  readonly isClean?: boolean;
}

/** Returns a function that selects the candidates with all of the texts, and with none of the others. */
function createMatcher(source: SearchSource, { texts, others = [], isClean = false }: SearchedTexts) {
  if (texts.length + others.length === 0) {
    return async (part: readonly SearchCandidate[]): Promise<FoundBlock[]> =>
      part.map((candidate) => ({ candidate, excerpt: null }));
  }
  const searches = texts.map((text) => createTextSearch(text, { isClean }));
  const excluded = others.map((text) => createTextSearch(text));
  return async (part: readonly SearchCandidate[]): Promise<FoundBlock[]> => {
    const payloads = await source.payloads(part.map(({ id }) => id));
    return part.flatMap((candidate) => {
      const payload = payloads.get(candidate.id);
      if (payload === undefined) return [];
      const excerpts = searches.map((search) => search(payload));
      if (excerpts.includes(undefined) || excluded.some((search) => search(payload) !== undefined)) return [];
      return [{ candidate, excerpt: excerpts[0] ?? null }];
    });
  };
}

function createMeter({ blocks, bytes, ms }: SearchBudget) {
  const end = performance.now() + ms;
  let blocksLeft = blocks;
  let bytesLeft = bytes;
  return {
    add({ ranges }: SearchBatch): void {
      for (const { trace, after, before } of ranges) {
        const count = before - after - 1;
        blocksLeft -= count;
        bytesLeft -= (count * trace.bytes) / trace.block_count;
      }
    },
    isSpent: () => blocksLeft <= 0 || bytesLeft <= 0 || performance.now() >= end,
  };
}

/** Sorts candidates by trace and ordinal. Drops those outside of the ranges, which were written since. */
function sortCandidates({ ranges }: SearchBatch, candidates: readonly SearchCandidate[]): SearchCandidate[] {
  const byTrace = new Map(ranges.map(({ trace, after, before }, index) => [trace.id, { index, after, before }]));
  const inRange = candidates.flatMap((candidate) => {
    const range = byTrace.get(candidate.trace_id);
    const isIn = range && candidate.ord > range.after && candidate.ord < range.before;
    return isIn ? [{ candidate, index: range.index }] : [];
  });
  inRange.sort((one, other) => one.index - other.index || one.candidate.ord - other.candidate.ord);
  return inRange.map(({ candidate }) => candidate);
}

/** Splits candidates into parts whose payloads are read together. */
function* payloadReads(candidates: readonly SearchCandidate[]): Generator<readonly SearchCandidate[]> {
  const sizeOf = ({ bytes }: SearchCandidate) => bytes;
  let rest = candidates;
  for (let count = FIRST_PAYLOADS; rest.length > 0; count *= 2) {
    const fitting = countFitting(rest, { count, size: PAYLOAD_BYTES, sizeOf });
    yield rest.slice(0, fitting);
    rest = rest.slice(fitting);
  }
}

function positionOf({ ranges }: SearchBatch, { trace_id: id, ord }: SearchCandidate): SearchPosition {
  const created_us = ranges.find(({ trace }) => trace.id === id)?.trace.created_us ?? 0;
  return { created_us, id, ord };
}

/** Rejects values that databases refuse to compare. */
function readCursor(cursor: string): SearchPosition {
  const isPosition = ([created_us, id, ord, ...more]: readonly unknown[]) =>
    Number.isSafeInteger(created_us) &&
    typeof id === 'string' &&
    !id.includes('\0') &&
    Number.isSafeInteger(ord) &&
    more.length === 0;
  const [created_us, id, ord] = decodeCursor(LIST, cursor, isPosition);
  return { created_us: Number(created_us), id: String(id), ord: Math.max(0, Number(ord)) };
}

/** Blocks that are searched before other work gets its turn. */
interface SearchBatch<Trace extends SearchedTrace = SearchedTrace> {
  readonly ranges: readonly OrdinalRange<Trace>[];
  readonly end: SearchPosition;
}

/** Yields everything behind a position in order, as batches; batches without ranges if no trace can match. */
async function* searchBatches<Trace extends SearchedTrace>(
  source: SearchSource<Trace>,
  from: SearchPosition | undefined,
): AsyncGenerator<SearchBatch<Trace>> {
  const sizes = batchSizes();
  let position = from && { ...from, isSearched: false };
  for (;;) {
    const traces = await source.traces(position, TRACES);
    yield* batchesOf(traces, from, sizes);
    const last = traces.at(-1);
    if (!last || traces.length < TRACES) return;
    // The traces that cannot match are done too.
    yield { ranges: [], end: positionIn(last, last.block_count) };
    position = { ...positionIn(last, last.block_count), isSearched: true };
  }
}

function* batchSizes(): Generator<number, never> {
  for (let size = FIRST_BLOCKS; ; size = Math.min(2 * size, MAX_BLOCKS)) yield size;
}

/** Puts small traces into one batch, and splits large ones. */
function* batchesOf<Trace extends SearchedTrace>(
  traces: readonly Trace[],
  from: SearchPosition | undefined,
  sizes: Generator<number, never>,
): Generator<SearchBatch<Trace>> {
  let whole: OrdinalRange<Trace>[] = [];
  let end: SearchPosition | undefined;
  let room = { blocks: sizes.next().value, bytes: BATCH_BYTES };
  for (const trace of traces) {
    const { id, block_count, bytes, mayMatch } = trace;
    const after = from?.id === id ? from.ord : 0;
    const isSplit = after > 0 || block_count > FIRST_BLOCKS || bytes > BATCH_BYTES;
    if (mayMatch && end && whole.length > 0 && (isSplit || block_count > room.blocks || bytes > room.bytes)) {
      yield { ranges: whole, end };
      whole = [];
      room = { blocks: sizes.next().value, bytes: BATCH_BYTES };
    }
    if (mayMatch && isSplit) yield* partsOf(trace, after, sizes);
    else if (mayMatch) {
      whole.push({ trace, after, before: block_count + 1 });
      room = { blocks: room.blocks - block_count, bytes: room.bytes - bytes };
    }
    end = positionIn(trace, Math.max(after, block_count));
  }
  if (end && whole.length > 0) yield { ranges: whole, end };
}

function* partsOf<Trace extends SearchedTrace>(
  trace: Trace,
  first: number,
  sizes: Generator<number, never>,
): Generator<SearchBatch<Trace>> {
  const { block_count, bytes } = trace;
  const max = Math.max(1, Math.floor((BATCH_BYTES * block_count) / Math.max(1, bytes)));
  for (let after = first; after < block_count; ) {
    const last = Math.min(after + Math.min(sizes.next().value, max), block_count);
    yield { ranges: [{ trace, after, before: last + 1 }], end: positionIn(trace, last) };
    after = last;
  }
}

const positionIn = ({ created_us, id }: SearchedTrace, ord: number): SearchPosition => ({ created_us, id, ord });

import type { BlockId, BlockSkeleton, TraceId } from '../../../generated/trace.ts';

/** What a search reads of a store, which knows what is asked for. */
export interface SearchSource<Trace extends SearchedTrace = SearchedTrace> {
  /** Those at a place and after it, or after it alone: newest first, equal ones by id from the greatest on. */
  traces(place: TraceSearchPosition | undefined, limit: number): Promise<readonly Trace[]>;
  /** Blocks that may be hits, in any order. One stretch is a part of a trace, several are whole ones. */
  candidates(stretches: readonly OrdinalRange<Trace>[]): Promise<readonly SearchCandidate[]>;
  /** As JSON; those of blocks that are gone are missing. */
  payloads(ids: readonly BlockId[]): Promise<ReadonlyMap<BlockId, string>>;
  /** Those of blocks that are gone are missing. */
  skeletons(ids: readonly BlockId[]): Promise<ReadonlyMap<BlockId, BlockSkeleton>>;
}

export interface SearchedTrace {
  readonly id: TraceId;
  readonly created_us: number;
  readonly block_count: number;
  /** Of its blocks, where they have to be read to find a text; else 0. */
  readonly bytes: number;
  /** Whether any of its blocks may be a hit. */
  readonly mayMatch: boolean;
}

/** Where a trace stands among all. */
export interface TraceSearchPosition {
  readonly created_us: number;
  readonly id: TraceId;
  /** Whether the trace itself was searched. */
  readonly isSearched: boolean;
}

/** Places that follow each other in a trace: greater than `after`, less than `before`. */
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
}

/** How far a search has come: to this block of this trace. */
export interface SearchPosition {
  readonly created_us: number;
  readonly id: TraceId;
  readonly ord: number;
}

/** What is searched before others have their turn. */
export interface SearchBatch<Trace extends SearchedTrace = SearchedTrace> {
  readonly stretches: readonly OrdinalRange<Trace>[];
  readonly end: SearchPosition;
}

/** So many traces are looked at before others have their turn. */
const TRACES = 256;
/** So many blocks: few at first, since hits may be many, and twice as many each time. */
const FEW_BLOCKS = 250;
const MANY_BLOCKS = 4000;
/** And so many bytes of them, if they are alike. */
const BYTES = 8 * 1024 * 1024;

/** All that is to be searched from a place on, in order; where nothing fits, sections without any stretch. */
export async function* searchBatches<Trace extends SearchedTrace>(
  searched: SearchSource<Trace>,
  from: SearchPosition | undefined,
): AsyncGenerator<SearchBatch<Trace>> {
  const sizes = growing();
  let place = from && { ...from, isSearched: false };
  for (;;) {
    const traces = await searched.traces(place, TRACES);
    yield* sectionsIn(traces, from, sizes);
    const last = traces.at(-1);
    if (!last || traces.length < TRACES) return;
    // What does not fit was looked at too.
    yield { stretches: [], end: placeIn(last, last.block_count) };
    place = { ...placeIn(last, last.block_count), isSearched: true };
  }
}

function* growing(): Generator<number, never> {
  for (let size = FEW_BLOCKS; ; size = Math.min(2 * size, MANY_BLOCKS)) yield size;
}

/** Small traces share a section, large ones have several. */
function* sectionsIn<Trace extends SearchedTrace>(
  traces: readonly Trace[],
  from: SearchPosition | undefined,
  sizes: Generator<number, never>,
): Generator<SearchBatch<Trace>> {
  let whole: OrdinalRange<Trace>[] = [];
  let end: SearchPosition | undefined;
  let room = { blocks: sizes.next().value, bytes: BYTES };
  for (const trace of traces) {
    const { id, block_count, bytes, mayMatch } = trace;
    const after = from?.id === id ? from.ord : 0;
    const isPart = after > 0 || block_count > FEW_BLOCKS || bytes > BYTES;
    if (mayMatch && end && whole.length > 0 && (isPart || block_count > room.blocks || bytes > room.bytes)) {
      yield { stretches: whole, end };
      whole = [];
      room = { blocks: sizes.next().value, bytes: BYTES };
    }
    if (mayMatch && isPart) yield* partsOf(trace, after, sizes);
    else if (mayMatch) {
      whole.push({ trace, after, before: block_count + 1 });
      room = { blocks: room.blocks - block_count, bytes: room.bytes - bytes };
    }
    end = placeIn(trace, Math.max(after, block_count));
  }
  if (end && whole.length > 0) yield { stretches: whole, end };
}

function* partsOf<Trace extends SearchedTrace>(
  trace: Trace,
  first: number,
  sizes: Generator<number, never>,
): Generator<SearchBatch<Trace>> {
  const { block_count, bytes } = trace;
  const max = Math.max(1, Math.floor((BYTES * block_count) / Math.max(1, bytes)));
  for (let after = first; after < block_count; ) {
    const last = Math.min(after + Math.min(sizes.next().value, max), block_count);
    yield { stretches: [{ trace, after, before: last + 1 }], end: placeIn(trace, last) };
    after = last;
  }
}

const placeIn = ({ created_us, id }: SearchedTrace, ord: number): SearchPosition => ({ created_us, id, ord });

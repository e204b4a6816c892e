import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BlockHit } from '../../../generated/trace.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import {
  type SearchBatch,
  type SearchCandidate,
  type SearchedTrace,
  type SearchPosition,
  type SearchSource,
  searchBatches,
} from './searched.ts';
import { createTextSearch } from './text-search.ts';
import type { BlockSearchQuery, SearchBudget, StorePage } from './trace-store.ts';

/** The most that one page costs, but for what is under way then. */
const EFFORT: SearchBudget = { blocks: 100_000, bytes: 64 * 1024 * 1024, ms: 200 };

/** So many payloads are read at first, twice as many each time, and so many bytes of them; one always. */
const FEW_PAYLOADS = 50;
const PAYLOAD_BYTES = 2 * 1024 * 1024;

const LIST = 'hits';

interface FoundBlock {
  readonly candidate: SearchCandidate;
  readonly excerpt: string | null;
}

/** One page of hits, which ends where it is full or has cost as much as it may. @throws Refusal for no cursor of hits. */
export async function findBlocks<Trace extends SearchedTrace>(
  searched: SearchSource<Trace>,
  { q, cursor, limit, effort }: BlockSearchQuery,
): Promise<StorePage<BlockHit>> {
  const from = cursor === undefined ? undefined : readCursor(cursor);
  const look = createLook(searched, q);
  const meter = createMeter({ ...EFFORT, ...effort });
  const found: FoundBlock[] = [];
  const isOver = () => found.length === limit || meter.isSpent();
  let end: SearchPosition | undefined;
  for await (const section of searchBatches(searched, from)) {
    // There is more to search.
    if (end && isOver()) return pageOf(searched, found, end);
    const candidates = inOrder(section, await searched.candidates(section.stretches));
    for (const part of q === undefined ? [candidates] : portionsOf(candidates)) {
      const hits = (await look(part)).slice(0, limit - found.length);
      found.push(...hits);
      const last = found.length === limit ? hits.at(-1)?.candidate : part.at(-1);
      if (last && last !== candidates.at(-1) && isOver()) return pageOf(searched, found, placeOf(section, last));
      await nextTurn();
    }
    // Where nothing was read, nobody else has had a turn.
    if (candidates.length === 0) await nextTurn();
    meter.add(section);
    end = section.end;
  }
  return pageOf(searched, found, undefined);
}

/** Which of some candidates are hits. */
function createLook(searched: SearchSource, q: string | undefined) {
  if (q === undefined) {
    return async (part: readonly SearchCandidate[]): Promise<FoundBlock[]> =>
      part.map((candidate) => ({ candidate, excerpt: null }));
  }
  const search = createTextSearch(q);
  return async (part: readonly SearchCandidate[]): Promise<FoundBlock[]> => {
    const payloads = await searched.payloads(part.map(({ id }) => id));
    return part.flatMap((candidate) => {
      const payload = payloads.get(candidate.id);
      const excerpt = payload === undefined ? undefined : search(payload);
      return excerpt === undefined ? [] : [{ candidate, excerpt }];
    });
  };
}

function createMeter({ blocks, bytes, ms }: SearchBudget) {
  const end = performance.now() + ms;
  let blocksLeft = blocks;
  let bytesLeft = bytes;
  return {
    add({ stretches }: SearchBatch): void {
      for (const { trace, after, before } of stretches) {
        const count = before - after - 1;
        blocksLeft -= count;
        bytesLeft -= (count * trace.bytes) / trace.block_count;
      }
    },
    isSpent: () => blocksLeft <= 0 || bytesLeft <= 0 || performance.now() >= end,
  };
}

/** Those that stand in the stretches of a section; others were written since. */
function inOrder({ stretches }: SearchBatch, candidates: readonly SearchCandidate[]): SearchCandidate[] {
  const places = new Map(stretches.map(({ trace, after, before }, place) => [trace.id, { place, after, before }]));
  const placed = candidates.flatMap((candidate) => {
    const stretch = places.get(candidate.trace_id);
    const isIn = stretch && candidate.ord > stretch.after && candidate.ord < stretch.before;
    return isIn ? [{ candidate, place: stretch.place }] : [];
  });
  placed.sort((one, other) => one.place - other.place || one.candidate.ord - other.candidate.ord);
  return placed.map(({ candidate }) => candidate);
}

function* portionsOf(candidates: readonly SearchCandidate[]): Generator<readonly SearchCandidate[]> {
  let portion: SearchCandidate[] = [];
  let bytes = 0;
  let max = FEW_PAYLOADS;
  for (const candidate of candidates) {
    if (portion.length > 0 && (portion.length === max || bytes + candidate.bytes > PAYLOAD_BYTES)) {
      yield portion;
      portion = [];
      bytes = 0;
      max *= 2;
    }
    portion.push(candidate);
    bytes += candidate.bytes;
  }
  if (portion.length > 0) yield portion;
}

function placeOf({ stretches }: SearchBatch, { trace_id: id, ord }: SearchCandidate): SearchPosition {
  const created_us = stretches.find(({ trace }) => trace.id === id)?.trace.created_us ?? 0;
  return { created_us, id, ord };
}

async function pageOf(
  searched: SearchSource,
  found: readonly FoundBlock[],
  end: SearchPosition | undefined,
): Promise<StorePage<BlockHit>> {
  const skeletons = await searched.skeletons(found.map(({ candidate }) => candidate.id));
  const items = found.flatMap(({ candidate: { id, trace_id }, excerpt }) => {
    const block = skeletons.get(id);
    return block ? [{ trace_id, block, excerpt }] : [];
  });
  return { items, next_cursor: end ? encodeCursor(LIST, [end.created_us, end.id, end.ord]) : null };
}

/** Databases refuse to compare with other places than those. */
function readCursor(cursor: string): SearchPosition {
  const isPlace = ([created_us, id, ord, ...more]: readonly unknown[]) =>
    Number.isSafeInteger(created_us) &&
    typeof id === 'string' &&
    !id.includes('\0') &&
    Number.isSafeInteger(ord) &&
    more.length === 0;
  const [created_us, id, ord] = decodeCursor(LIST, cursor, isPlace);
  return { created_us: Number(created_us), id: String(id), ord: Math.max(0, Number(ord)) };
}

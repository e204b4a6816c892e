import { escapeRegExp } from '../../../core/index.ts';
/** A place in a text, in UTF-16 units; `end` is behind it. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** More than anyone looks at, and few enough to draw. */
const MAX_HITS = 1_000;

/** Where a text is found in another, capitals or not, without overlaps; the first thousand. */
export function findHits(text: string, highlight: string | undefined, max = MAX_HITS): readonly TextRange[] {
  const requested = toSearchPattern(highlight);
  if (!requested) return [];
  const hits: TextRange[] = [];
  for (const found of text.matchAll(requested)) {
    if (hits.length === max) break;
    hits.push({ start: found.index, end: found.index + found[0].length });
  }
  return hits;
}

/** What finds a text, capitals or not; undefined for none. It has the flag g. */
export function toSearchPattern(highlight: string | undefined): RegExp | undefined {
  if (!highlight) return undefined;
  return new RegExp(escapeRegExp(highlight), 'giu');
}

const WINDOW = 256 * 1024;
/** So many places of a long text are noted. */
export const MAX_PLACES = 10_000;

/**
 * Where a text is found in a very long one: the places at which it begins, the first ten thousand. Yields now and then,
 * for whoever has something else to do meanwhile.
 */
export function* findAll(
  text: string,
  highlight: string | undefined,
  max = MAX_PLACES,
): Generator<undefined, number[]> {
  const requested = toSearchPattern(highlight);
  const places: number[] = [];
  // Capitals and small letters may differ in length.
  const overlap = 2 * (highlight?.length ?? 0);
  let behind = 0;
  for (let from = 0; requested && from < text.length && places.length < max; from += WINDOW) {
    const begin = Math.max(from, behind);
    for (const found of text.slice(begin, from + WINDOW + overlap).matchAll(requested)) {
      const place = begin + found.index;
      if (place >= from + WINDOW || places.length === max) break;
      places.push(place);
      behind = place + found[0].length;
    }
    yield;
  }
  return places;
}

/** A text of one look. */
export interface StyledSegment {
  readonly text: string;
}
export type HitSegment<S extends StyledSegment> = S & { readonly isHit: boolean };

/** Cuts segments where hits begin and end; the hits are places in their joined text. Nothing is left out. */
export function splitAtHits<S extends StyledSegment>(
  segments: readonly S[],
  hits: readonly TextRange[],
): readonly HitSegment<S>[] {
  const pieces: HitSegment<S>[] = [];
  let offset = 0;
  let next = 0;
  for (const segment of segments) {
    const end = offset + segment.text.length;
    for (let from = offset; from < end; ) {
      let hit = hits[next];
      while (hit && hit.end <= from) hit = hits[++next];
      const isHit = hit !== undefined && hit.start <= from;
      const to = Math.min(end, hit ? (isHit ? hit.end : hit.start) : end);
      pieces.push({ ...segment, text: segment.text.slice(from - offset, to - offset), isHit });
      from = to;
    }
    offset = end;
  }
  return pieces;
}

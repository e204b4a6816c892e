import type { TranscriptRow } from './outline.ts';

/** Sizes of trace.css and payload.css. */
export const HEAD_PX = 30;
const PADDING_PX = 10;
const INDENT_PX = 48;
/** Height at which a body is cut until the user expands it. */
const MAX_BODY_PX = 420;

const PREVIEW_CHARACTERS = 120;
const PICTURE_BYTES = 2_000;
/** Number of measured rows from which others of the kind and size are corrected. */
const MIN_ROWS_OF_SIZE = 5;
const MIN_ROWS_OF_KIND = 12;
/** Weight of the uncorrected estimate, in rows. */
const PRIOR_ROWS = 4;

/** Text metrics by kind of row, and the number of bytes of a block that are not text. */
const TEXT_METRICS = {
  message: { line: 21, character: 7.3, around: 0, overhead: 32 },
  thought: { line: 21, character: 7.3, around: 0, overhead: 11 },
  call: { line: 19.6, character: 7.8, around: 0, overhead: 60 },
  results: { line: 17.5, character: 7.8, around: 35, overhead: 120 },
} as const;

interface RowWithBody extends TranscriptRow {
  readonly kind: keyof typeof TEXT_METRICS;
}

const hasBody = (row: TranscriptRow): row is RowWithBody => row.kind in TEXT_METRICS;

/** Caches a result per row until the row has more blocks. */
export function memoize<T>(compute: (row: TranscriptRow) => T): (row: TranscriptRow) => T {
  const known = new WeakMap<TranscriptRow, { readonly blocks: number; readonly value: T }>();
  return (row) => {
    const before = known.get(row);
    if (before?.blocks === row.blocks.length) return before.value;
    const value = compute(row);
    known.set(row, { blocks: row.blocks.length, value });
    return value;
  };
}

/** Estimates the height of an open row from its skeleton: kind, bytes and the beginning of its text. */
export function estimateHeight(row: TranscriptRow, width: number): number {
  if (!hasBody(row)) return HEAD_PX;
  const { line, around, character } = TEXT_METRICS[row.kind];
  const characters = Math.max(20, (width - INDENT_PX) / character);
  return HEAD_PX + Math.min(MAX_BODY_PX, PADDING_PX + around + line * guessLines(row, characters));
}

function guessLines({ kind, blocks }: RowWithBody, lineCharacters: number): number {
  const { overhead, line } = TEXT_METRICS[kind];
  const breaks = kind === 'call' ? /\\n|(?<=[^\\]":)/ : '\n';
  let lines = 0;
  for (const { preview, bytes } of blocks) {
    const isWhole = preview.length < PREVIEW_CHARACTERS;
    // A short text with many bytes has images.
    if (isWhole && bytes > PICTURE_BYTES) return MAX_BODY_PX / line;
    const known = preview.split(breaks);
    const cut = isWhole ? '' : (known.pop() ?? '');
    lines += known.reduce((sum, text) => sum + Math.max(1, Math.ceil(text.length / lineCharacters)), 0);
    if (!isWhole) {
      // Assumes that the rest is like the known text: lines of the same length, or a single line.
      const rest = cut.length + Math.max(0, bytes - overhead - known.length - preview.length);
      const each = known.length === 0 ? lineCharacters : (preview.length - cut.length) / known.length + 1;
      lines += Math.ceil(rest / Math.min(each, lineCharacters));
    }
    if (lines * line > MAX_BODY_PX) break;
  }
  return Math.max(1, lines - (kind === 'call' ? 1 : 0));
}

/**
 * Learns the error of the estimates from measured rows, as the mean difference by kind and size. Updates become less
 * frequent, so that rows that are not measured yet keep their height while the user scrolls.
 */
export class HeightCalibration {
  readonly #learned = new Map<string, { sum: number; count: number }>();
  #used = new Map<string, number>();
  readonly #bucketsOf = memoize(bucketsOf);
  #count = 0;
  #next = 4;

  /**
   * Records a measured height.
   *
   * @returns true if the corrections have changed.
   */
  learn(row: TranscriptRow, guessed: number, measured: number): boolean {
    for (const bucket of this.#bucketsOf(row)) {
      const known = this.#learned.get(bucket) ?? { sum: 0, count: 0 };
      known.sum += measured - guessed;
      known.count++;
      this.#learned.set(bucket, known);
    }
    if (++this.#count < this.#next) return false;
    this.#next *= 2;
    const known = [...this.#learned].filter(
      ([bucket, { count }]) => count >= (bucket.includes(' ') ? MIN_ROWS_OF_SIZE : MIN_ROWS_OF_KIND),
    );
    this.#used = new Map(known.map(([bucket, { sum, count }]) => [bucket, sum / (count + PRIOR_ROWS)]));
    return true;
  }

  /** Returns what to add to the estimate of a row. */
  correction(row: TranscriptRow): number {
    for (const bucket of this.#bucketsOf(row)) {
      const known = this.#used.get(bucket);
      if (known !== undefined) return known;
    }
    return 0;
  }
}

/** Returns the keys for corrections, most specific first. */
function bucketsOf(row: TranscriptRow): string[] {
  const bytes = row.blocks.reduce((sum, block) => sum + block.bytes, 0);
  return [`${row.kind} ${row.blocks[0]?.name ?? ''} ${Math.floor(2 * Math.log2(bytes + 1))}`, row.kind];
}

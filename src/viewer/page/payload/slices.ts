/** Slice of a long text that is rendered separately; `end` is exclusive. */
export interface TextSlice {
  readonly start: number;
  readonly end: number;
  /** Number of lines if it is wrapped. */
  readonly rows: number;
}

const SLICE_LENGTH = 16 * 1024;
/** Longer than any escape sequence in practice. */
const ESCAPE_LENGTH = 64;

/**
 * Splits a text into adjacent slices, at line ends where possible, and never inside a character or an escape sequence.
 * Yields at intervals, for `runTimeSliced`.
 *
 * @param columns number of characters per line.
 */
export function* splitIntoSlices(text: string, columns: number): Generator<undefined, readonly TextSlice[]> {
  const slices: TextSlice[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOf(text, start);
    slices.push({ start, end, rows: rowsOf(text.slice(start, end), columns) });
    start = end;
    if (slices.length % 8 === 0) yield;
  }
  return slices;
}

function endOf(text: string, start: number): number {
  const full = start + SLICE_LENGTH;
  if (full >= text.length) return text.length;
  const lineEnd = text.lastIndexOf('\n', full - 1);
  return lineEnd >= start ? lineEnd + 1 : safeEnd(text, full);
}

/** Returns the last index up to `end` that is not inside a character or sequence. */
function safeEnd(text: string, end: number): number {
  const begin = text.lastIndexOf('\u001b', end - 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  if (begin > end - ESCAPE_LENGTH && /^\x1b[[\]]?[\d;:?]*$/.test(text.slice(begin, end))) return begin;
  const before = text.charCodeAt(end - 1);
  const isHalf = before >= 0xd800 && before <= 0xdbff;
  return isHalf || (before === 0x0d && text[end] === '\n') ? end - 1 : end;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPES = /\x1b\[[\d;:?]*[A-Za-z]/g;

/** Returns the number of lines on the screen; a trailing line end does not start another one. */
function rowsOf(text: string, columns: number): number {
  const shown = text.includes('\u001b') ? text.replaceAll(ESCAPES, '') : text;
  let rows = 0;
  for (let from = 0; from < shown.length; ) {
    const found = shown.indexOf('\n', from);
    const end = found < 0 ? shown.length : found;
    rows += Math.max(1, Math.ceil((end - from) / columns));
    from = end + 1;
  }
  return rows;
}

/** Returns the index of the slice that contains a position. */
export const sliceAt = (slices: readonly TextSlice[], position: number): number =>
  Math.max(
    0,
    slices.findLastIndex(({ start }) => start <= position),
  );

/** Slices `from` to `to` of a text, which are shown together; `to` is exclusive. */
export interface TextSection {
  readonly from: number;
  readonly to: number;
  /** Number of lines before it. */
  readonly rowsBefore: number;
  readonly rows: number;
}

/** Groups slices into sections of at most `maxRows` lines, or of one slice. */
export function toSections(slices: readonly TextSlice[], maxRows: number): readonly TextSection[] {
  const sections: { from: number; to: number; rowsBefore: number; rows: number }[] = [];
  for (const [index, { rows }] of slices.entries()) {
    const last = sections.at(-1);
    if (last && last.rows + rows <= maxRows) Object.assign(last, { to: index + 1, rows: last.rows + rows });
    else sections.push({ from: index, to: index + 1, rowsBefore: last ? last.rowsBefore + last.rows : 0, rows });
  }
  return sections;
}

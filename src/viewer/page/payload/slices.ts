/** A piece of a long text that is drawn by itself: from `start` to before `end`. */
export interface TextSlice {
  readonly start: number;
  readonly end: number;
  /** Lines that it takes when they are broken after so many characters. */
  readonly rows: number;
}

const SLICE_LENGTH = 16 * 1024;
/** No escape sequence that one meets is longer. */
const ESCAPE_LENGTH = 64;

/**
 * Cuts a text into slices that follow each other without a gap, behind line ends where there are any, and never inside
 * a character or an escape sequence. Yields now and then, for whoever has something else to do meanwhile.
 *
 * @param columns characters that fit into a line.
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
  return lineEnd >= start ? lineEnd + 1 : wholeEnd(text, full);
}

/** The last place up to `end` that is not inside anything. */
function wholeEnd(text: string, end: number): number {
  const begin = text.lastIndexOf('\u001b', end - 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  if (begin > end - ESCAPE_LENGTH && /^\x1b[[\]]?[\d;:?]*$/.test(text.slice(begin, end))) return begin;
  const before = text.charCodeAt(end - 1);
  const isHalf = before >= 0xd800 && before <= 0xdbff;
  return isHalf || (before === 0x0d && text[end] === '\n') ? end - 1 : end;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const ESCAPES = /\x1b\[[\d;:?]*[A-Za-z]/g;

/** Lines on the screen; a line end at the end of the text begins no other. */
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

/** The slice that holds a place of the text. */
export function sliceAt(slices: readonly TextSlice[], place: number): number {
  let low = 0;
  let high = slices.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((slices[middle]?.start ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Style of terminal text. */
export interface TextStyle {
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
  readonly color?: AnsiColor | undefined;
  readonly background?: AnsiColor | undefined;
}
/** Theme colour from 0 to 15, or red, green and blue. */
export type AnsiColor = number | readonly [number, number, number];

export interface AnsiSegment {
  readonly text: string;
  readonly style: TextStyle;
  /** Number of earlier states of this line that carriage returns have overwritten. */
  readonly overwritten?: number;
}

const PLAIN: TextStyle = {};

/** SGR sequences; other escape sequences; line ends and carriage returns. An unterminated sequence is text. */
const SEQUENCE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are searched for
  /\x1b\[([\d;:]{0,200})m|\x1b\[[0-?]{0,200}[ -/]{0,20}[@-~]|\x1b[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)|\x1b[()*+#%][0-9A-Za-z]|\x1b[78=>cDEHMNOZ\\]|\r*\n|\r+/g;

/** Parses terminal output: keeps colours, drops other sequences and counts overwritten lines. */
export function parseAnsi(
  text: string,
  begin: TextStyle = PLAIN,
): { readonly segments: AnsiSegment[]; readonly end: TextStyle } {
  const line = createLines();
  let style = begin;
  let from = 0;
  for (const found of text.matchAll(SEQUENCE)) {
    if (found.index > from) line.add(text.slice(from, found.index), style);
    from = found.index + found[0].length;
    if (found[0].endsWith('\n')) line.feed(style);
    else if (found[0].startsWith('\r')) line.goBack();
    else if (found[1] !== undefined) style = applyCodes(style, found[1]);
  }
  if (from < text.length) line.add(text.slice(from), style);
  return { segments: line.segments, end: style };
}

/** Collects segments, and drops those of a line that a carriage return overwrites. */
function createLines() {
  const segments: AnsiSegment[] = [];
  let lineStart = 0;
  let isBack = false;
  let overwritten = 0;
  return {
    segments,
    add(text: string, style: TextStyle) {
      if (isBack && segments.length > lineStart) {
        segments.length = lineStart;
        overwritten++;
      }
      const isFirst = segments.length === lineStart && overwritten > 0;
      isBack = false;
      segments.push(isFirst ? { text, style, overwritten } : { text, style });
    },
    feed(style: TextStyle) {
      const last = segments.at(-1);
      if (last && last.style === style) segments[segments.length - 1] = { ...last, text: `${last.text}\n` };
      else segments.push({ text: '\n', style });
      lineStart = segments.length;
      isBack = false;
      overwritten = 0;
    },
    goBack() {
      isBack = true;
    },
  };
}

const SWITCHES: Readonly<Record<number, TextStyle>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { strike: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { strike: false },
  39: { color: undefined },
  49: { background: undefined },
};

function applyCodes(before: TextStyle, parameters: string): TextStyle {
  const codes = parameters.split(/[;:]/).map(Number);
  let style = before;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === 0) style = PLAIN;
    else if (code === 38 || code === 48) {
      const { color, length } = chosenColor(codes.slice(at + 1, at + 5));
      style = { ...style, [code === 38 ? 'color' : 'background']: color };
      at += length;
    } else style = { ...style, ...(SWITCHES[code] ?? themeColor(code)) };
  }
  return style;
}

function themeColor(code: number): TextStyle {
  const base = code % 10;
  if (base > 7) return {};
  const tens = Math.floor(code / 10);
  if (tens === 3 || tens === 9) return { color: base + (tens === 9 ? 8 : 0) };
  if (tens === 4 || tens === 10) return { background: base + (tens === 10 ? 8 : 0) };
  return {};
}

const STEPS = [0, 95, 135, 175, 215, 255] as const;

/** Parses the parameters after 38 or 48: `5;n` of the 256-colour table, or `2;red;green;blue`. */
function chosenColor([kind, ...rest]: readonly number[]): { color: AnsiColor | undefined; length: number } {
  const [first = 0, green = 0, blue = 0] = rest.map((value) => Math.min(255, value));
  if (kind === 2) return { color: [first, green, blue], length: 4 };
  if (kind !== 5) return { color: undefined, length: 0 };
  if (first < 16) return { color: first, length: 2 };
  const grey = 8 + 10 * (first - 232);
  if (first >= 232) return { color: [grey, grey, grey], length: 2 };
  const channel = (weight: number) => STEPS[Math.floor((first - 16) / weight) % 6] ?? 0;
  return { color: [channel(36), channel(6), channel(1)], length: 2 };
}

/** Inline element of Markdown. */
export type MarkdownInline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  /** TeX, and the text with its signs. */
  | { readonly type: 'math'; readonly text: string; readonly source: string; readonly isDisplay: boolean }
  | { readonly type: 'em' | 'strong' | 'del'; readonly children: readonly MarkdownInline[] }
  | { readonly type: 'link' | 'image'; readonly href: string; readonly children: readonly MarkdownInline[] };

/** Maximum number of open delimiters; further ones are text. */
const MAX_OPEN = 40;
const MAX_LINK_ITEMS = 200;

/** Delimiter that may open or close an element, depending on the characters around it. */
interface Delimiter {
  readonly sign: string;
  readonly canOpen: boolean;
  readonly canClose: boolean;
}
type Item = MarkdownInline | Delimiter;

/** Escapes, code, math, URLs, brackets and emphasis. Each alternative consumes what it scans. */
const SIGNS = /\\[!-/:-@[-`{-~]|`+|<https?:\/\/[^\s<>]*>|https?:\/\/[^\s<>"'`*]+|!?\[|\]|\*+|_+|~~|\$\$?/g;
const TARGET = /\(\s{0,9}<?((?:[^\s<>()]|\([^\s<>()]{0,500}\)){0,2000})>?(?:\s{1,9}"[^"\n]{0,500}")?\s{0,9}\)/y;

/** Parses the inline elements of a paragraph in linear time. Raw HTML and unterminated elements are text. */
export function parseInline(text: string): readonly MarkdownInline[] {
  const codeEnds = createCodeEnds(text);
  const mathEnds = createMathEnds(text);
  const items: Item[] = [];
  let from = 0;
  const signs = new RegExp(SIGNS);
  for (let found = signs.exec(text); found; found = signs.exec(text)) {
    const [sign] = found;
    if (found.index > from) items.push({ type: 'text', text: text.slice(from, found.index) });
    from = signs.lastIndex = take(sign, found.index);
  }
  if (from < text.length) items.push({ type: 'text', text: text.slice(from) });
  return joined(withEmphasis(items));

  /** Adds the element that a sign stands for, and returns the index after it. */
  function take(sign: string, at: number): number {
    const end = at + sign.length;
    const math = readMath(text, sign, at, mathEnds);
    if (math) {
      const source = text.slice(at, math.end);
      items.push({ type: 'math', text: math.tex, source, isDisplay: math.isDisplay });
      return math.end;
    }
    if (sign.startsWith('$')) items.push({ type: 'text', text: sign });
    else if (sign.startsWith('\\')) items.push({ type: 'text', text: sign.slice(1) });
    else if (sign.startsWith('`')) return takeCode(sign, end);
    else if (sign.startsWith('<')) items.push(linkTo(sign.slice(1, -1)));
    else if (sign.startsWith('http')) return takeAddress(sign, at);
    else if (sign === ']') return closeLink(items, text, end);
    else items.push(markOf(sign, text[at - 1], text[end]));
    return end;
  }

  function takeCode(ticks: string, start: number): number {
    const end = codeEnds(ticks.length, start);
    if (end === undefined) {
      items.push({ type: 'text', text: ticks });
      return start;
    }
    const code = text.slice(start, end);
    // Single spaces at both ends separate the code from its backticks.
    const isParted = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
    items.push({ type: 'code', text: isParted ? code.slice(1, -1) : code });
    return end + ticks.length;
  }

  function takeAddress(address: string, at: number): number {
    const href = withoutEnd(address);
    items.push(linkTo(href));
    return at + href.length;
  }
}

/** Maximum length of TeX within a paragraph, in UTF-16 code units. */
const MAX_MATH_LENGTH = 4_000;
const MATH_ENDS: Readonly<Record<string, string>> = { '\\(': '\\)', '\\[': '\\]', $: '$', $$: '$$' };
/**
 * Returns whether a text has a command, an index, a relation or an operation; other text in escaped brackets is a label,
 * such as `\[1\]`.
 */
export const hasTex = (text: string): boolean => /[\\^_=<>{}+|]/.test(text);
/** Price, such as `$5 for each`: a number and a word. */
const PRICE = /^[\d.,]+\s*[\p{L}%]{0,2}[\s,.;:!?)]+[\p{L}]{2}/u;
/** Suffix of a number or a plural: `$n$th`, `$x$s`. */
const SUFFIX = /^(?:th|st|nd|rd|s)\b/;

/**
 * Returns the TeX after an opening sign; undefined if the sign does not open any. A single dollar is a price or a variable of
 * a shell unless it touches its content, and the next one touches it too and no word follows.
 */
function readMath(text: string, sign: string, at: number, mathEnds: ReturnType<typeof createMathEnds>) {
  const close = MATH_ENDS[sign];
  const start = at + sign.length;
  const stop = close === undefined ? -1 : mathEnds(close, start);
  if (close === undefined || stop < 0 || stop > start + MAX_MATH_LENGTH) return undefined;
  const tex = text.slice(start, stop);
  const end = stop + close.length;
  if (tex.trim() === '' || (sign === '\\[' && !hasTex(tex))) return undefined;
  if (sign === '$' && !isInlineMath(tex, text[at - 1], text.slice(end, end + 4))) return undefined;
  return { tex: tex.trim(), isDisplay: sign === '$$' || sign === '\\[', end };
}

function isInlineMath(tex: string, before: string | undefined, after: string): boolean {
  const isTouching = !isBlank(tex[0]) && !isBlank(tex.at(-1));
  if (!isTouching || isWord(before) || PRICE.test(tex)) return false;
  return SUFFIX.test(after) || !(isWord(after[0]) || '({$\\'.includes(after[0] ?? ' '));
}

/** Finds the next closing sign that is not escaped; each one is visited once. */
function createMathEnds(text: string): (close: string, from: number) => number {
  const next = new Map<string, number>();
  return (close, from) => {
    const known = next.get(close);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    let at = text.indexOf(close, from);
    while (at >= 0 && isEscaped(text, at)) at = text.indexOf(close, at + 1);
    next.set(close, at);
    return at;
  };
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

const linkTo = (href: string): MarkdownInline => ({ type: 'link', href, children: [{ type: 'text', text: href }] });

/** Removes trailing punctuation from a URL, and a closing bracket that was opened before it. */
function withoutEnd(address: string): string {
  const hasBracket = address.includes('(');
  let end = address.length;
  while (end > 0 && '.,:;!?)]}*_~'.includes(address[end - 1] ?? ' ')) {
    if (address[end - 1] === ')' && hasBracket) break;
    end--;
  }
  return address.slice(0, end);
}

/** Finds the next run of exactly `length` backticks; each run is visited once per length. */
function createCodeEnds(text: string): (length: number, from: number) => number | undefined {
  const runs = new Map<number, { readonly starts: number[]; next: number }>();
  for (const { 0: ticks, index } of text.matchAll(/`+/g)) {
    const known = runs.get(ticks.length);
    if (known) known.starts.push(index);
    else runs.set(ticks.length, { starts: [index], next: 0 });
  }
  return (length, from) => {
    const run = runs.get(length);
    if (!run) return undefined;
    while ((run.starts[run.next] ?? from) < from) run.next++;
    return run.starts[run.next];
  };
}

const isMark = (item: Item | undefined): item is Delimiter => item !== undefined && 'sign' in item;
const isOpening = (item: Item | undefined) => isMark(item) && (item.sign === '[' || item.sign === '![');

/** Returns the index of the last open bracket, or -1; searches no further than `MAX_LINK_ITEMS`. */
function openingOf(items: readonly Item[]): number {
  const first = Math.max(0, items.length - MAX_LINK_ITEMS);
  for (let index = items.length - 1; index >= first; index--) if (isOpening(items[index])) return index;
  return -1;
}

/** Completes a link or image if a target follows. Returns the index after the consumed text. */
function closeLink(items: Item[], text: string, end: number): number {
  const begin = openingOf(items);
  TARGET.lastIndex = end;
  const target = begin < 0 ? null : TARGET.exec(text);
  const opening = items[begin];
  if (!target || !isMark(opening)) {
    if (isMark(opening)) items[begin] = { type: 'text', text: opening.sign };
    items.push({ type: 'text', text: ']' });
    return end;
  }
  const children = joined(withEmphasis(items.splice(begin + 1)));
  items[begin] = { type: opening.sign === '[' ? 'link' : 'image', href: target[1] ?? '', children };
  return TARGET.lastIndex;
}

const isBlank = (character: string | undefined) => character === undefined || /\s/.test(character);
const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

function markOf(sign: string, before: string | undefined, after: string | undefined): Delimiter {
  const canOpen = !isBlank(after) && (isWord(after) || !isWord(before) || isOpeningSign(after));
  const canClose = !isBlank(before) && (isWord(before) || !isWord(after));
  // Names such as some_long_name contain no emphasis.
  if (!sign.startsWith('_')) return { sign, canOpen, canClose };
  return { sign, canOpen: canOpen && !isWord(before), canClose: canClose && !isWord(after) };
}

const isOpeningSign = (character: string | undefined) => character !== undefined && '`"\'([{$'.includes(character);

const TYPES: Readonly<Record<string, 'em' | 'strong' | 'del'>> = {
  '*': 'em',
  _: 'em',
  '**': 'strong',
  __: 'strong',
  '~~': 'del',
};

/** Nests the items between matching delimiters. */
function withEmphasis(items: readonly Item[]): readonly MarkdownInline[] {
  const out: Item[] = [];
  const open: number[] = [];
  for (const item of items) {
    if (!isMark(item)) {
      out.push(item);
      continue;
    }
    let left = item.canClose ? closeAll(out, open, item.sign) : item.sign;
    const mayOpen = item.canOpen && open.length < MAX_OPEN;
    if (mayOpen && left.length === 3) {
      open.push(out.length);
      out.push({ ...item, sign: left.slice(1) });
      left = left.slice(0, 1);
    }
    if (mayOpen && left in TYPES) open.push(out.length);
    if (left !== '') out.push({ ...item, sign: left });
  }
  return out.map((item) => (isMark(item) ? { type: 'text', text: item.sign } : item));
}

/** Closes what a delimiter can close. Returns the rest of the delimiter. */
function closeAll(out: Item[], open: number[], sign: string): string {
  let left = sign;
  while (left !== '') {
    const at = open.findLastIndex((index) => {
      const mark = out[index];
      return isMark(mark) && left.startsWith(mark.sign);
    });
    const begin = open[at];
    const mark = begin === undefined ? undefined : out[begin];
    if (begin === undefined || !isMark(mark)) break;
    const inner = out.splice(begin).slice(1);
    open.length = at;
    const children = joined(inner.map((item) => (isMark(item) ? { type: 'text', text: item.sign } : item)));
    out.push({ type: TYPES[mark.sign] ?? 'em', children });
    left = left.slice(mark.sign.length);
  }
  return left;
}

/** Joins adjacent texts, so that hits are found across them. */
function joined(items: readonly MarkdownInline[]): readonly MarkdownInline[] {
  const out: MarkdownInline[] = [];
  for (const item of items) {
    const last = out.at(-1);
    if (item.type === 'text' && last?.type === 'text')
      out[out.length - 1] = { type: 'text', text: last.text + item.text };
    else out.push(item);
  }
  return out;
}

import { hasTex } from './markdown-inline.ts';

/** Block of a Markdown document; the text of paragraphs is parsed by `parseInline`. */
export type MarkdownBlock =
  | { readonly type: 'paragraph'; readonly text: string }
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  /** TeX, and the text with its signs. */
  | { readonly type: 'math'; readonly text: string; readonly source: string }
  | { readonly type: 'rule' }
  | { readonly type: 'quote'; readonly blocks: readonly MarkdownBlock[] }
  | { readonly type: 'list'; readonly start: number | undefined; readonly items: readonly ListItem[] }
  | {
      readonly type: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      readonly aligns: readonly ColumnAlign[];
    };

interface ListItem {
  /** State of a checkbox, if the item has one. */
  readonly isDone?: boolean | undefined;
  readonly blocks: readonly MarkdownBlock[];
}
type ColumnAlign = 'left' | 'center' | 'right' | undefined;

/** Maximum nesting of quotes and lists; deeper ones are text. */
const MAX_DEPTH = 12;

/**
 * Parses Markdown as models write it: headings, paragraphs, fenced code, math, lists, quotes, tables, rules. Takes
 * linear time for any input; anything else is a paragraph.
 */
export const parseMarkdown = (text: string): readonly MarkdownBlock[] =>
  parseLines(text.replaceAll('\r\n', '\n').split('\n'), 0);

interface ParsedBlock {
  readonly block: MarkdownBlock;
  /** Index of the line after it. */
  readonly next: number;
}
type Lines = readonly string[];

function parseLines(lines: Lines, depth: number): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  for (let at = 0; at < lines.length; ) {
    if (isBlank(lines[at])) {
      at++;
      continue;
    }
    const { block, next } = readBlock(lines, at, depth);
    blocks.push(block);
    at = next;
  }
  return blocks;
}

const readBlock = (lines: Lines, at: number, depth: number): ParsedBlock =>
  readCode(lines, at) ??
  readMath(lines, at) ??
  readHeading(lines, at) ??
  readRule(lines, at) ??
  (depth < MAX_DEPTH ? (readQuote(lines, at, depth) ?? readList(lines, at, depth)) : undefined) ??
  readTable(lines, at) ??
  readParagraph(lines, at);

const isBlank = (line: string | undefined) => line === undefined || line.trim() === '';
const indentOf = (line: string) => line.length - line.trimStart().length;

const FENCE = /^ {0,12}(`{3,}|~{3,})([^`]*)$/;

function readCode(lines: Lines, at: number): ParsedBlock | undefined {
  const line = lines[at] ?? '';
  const found = FENCE.exec(line);
  if (!found) return undefined;
  const [, fence = '', info = ''] = found;
  const isEnd = (other: string) => other.trim().startsWith(fence) && other.trim().replaceAll(fence[0] ?? '', '') === '';
  let end = at + 1;
  while (end < lines.length && !isEnd(lines[end] ?? '')) end++;
  const inside = lines.slice(at + 1, end);
  const indent = indentOf(line);
  const text = inside.map((each) => each.slice(Math.min(indent, indentOf(each)))).join('\n');
  const [language = ''] = info.trim().split(/\s/);
  return { block: { type: 'code', language, text }, next: end + 1 };
}

const MATH = /^ {0,12}(\$\$|\\\[|\\begin\{(?:equation|align|alignat|gather|multline|split)\*?\})/;
/** Maximum number of lines of a formula; a sign without an end within them is text. */
const MAX_MATH_LINES = 200;

/** Reads a formula on separate lines. Their signs would otherwise begin lists, headings and tables. */
function readMath(lines: Lines, at: number): ParsedBlock | undefined {
  const line = lines[at]?.trim() ?? '';
  const [, open = ''] = MATH.exec(lines[at] ?? '') ?? [];
  if (open === '') return undefined;
  const isEnvironment = open.startsWith('\\begin');
  const close = isEnvironment ? open.replace('begin', 'end') : open === '$$' ? '$$' : '\\]';
  const last = Math.min(lines.length, at + MAX_MATH_LINES);
  for (let end = at; end < last; end++) {
    const text = end === at ? line.slice(open.length) : (lines[end]?.trim() ?? '');
    // A sign alone in its line opens a formula that may have empty lines.
    if (end > at && line !== open && text === '') return undefined;
    const isEnd = text.replace(/[.,;]$/, '').endsWith(close);
    if (!isEnd && (text.includes(close) || (end > at && text.startsWith(open)))) return undefined;
    if (!isEnd) continue;
    const all = [line.slice(open.length), ...lines.slice(at + 1, end + 1)].join('\n');
    const stop = all.indexOf(close);
    const tex = all.slice(0, stop);
    const isOther = stop !== all.lastIndexOf(close) || tex.trim() === '' || (open === '\\[' && !hasTex(tex));
    if (isOther) return undefined;
    const source = open + all;
    return { block: { type: 'math', text: isEnvironment ? open + tex + close : tex.trim(), source }, next: end + 1 };
  }
  return undefined;
}

function readHeading(lines: Lines, at: number): ParsedBlock | undefined {
  const line = lines[at] ?? '';
  const [, signs] = /^ {0,3}(#{1,6})(?:\s|$)/.exec(line) ?? [];
  if (signs === undefined) return undefined;
  const rest = line.trim().slice(signs.length).trim();
  const text = withoutClosing(rest);
  return { block: { type: 'heading', level: signs.length, text }, next: at + 1 };
}

/** Removes the closing `#` signs of a heading. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end === 0 || text[end - 1] === ' ' ? text.slice(0, end).trimEnd() : text;
}

const isRule = (line: string) => {
  const signs = line.replaceAll(/\s/g, '');
  return signs.length >= 3 && '-*_'.includes(signs[0] ?? ' ') && signs.replaceAll(signs[0] ?? ' ', '') === '';
};

function readRule(lines: Lines, at: number): ParsedBlock | undefined {
  const line = lines[at] ?? '';
  return indentOf(line) < 4 && isRule(line) ? { block: { type: 'rule' }, next: at + 1 } : undefined;
}

function readQuote(lines: Lines, at: number, depth: number): ParsedBlock | undefined {
  let end = at;
  while (/^ {0,3}>/.test(lines[end] ?? '')) end++;
  if (end === at) return undefined;
  const inside = lines.slice(at, end).map((line) => line.replace(/^ {0,3}> ?/, ''));
  return { block: { type: 'quote', blocks: parseLines(inside, depth + 1) }, next: end };
}

const ITEM = /^( {0,12})([-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)|(?=\s*$))/;
const BOX = /^\[([ xX])\] /;

function readList(lines: Lines, at: number, depth: number): ParsedBlock | undefined {
  const first = ITEM.exec(lines[at] ?? '');
  if (!first) return undefined;
  const kind = kindOf(first[2]);
  const items: ListItem[] = [];
  let next = at;
  for (;;) {
    const item = ITEM.exec(lines[next] ?? '');
    if (!item || kindOf(item[2]) !== kind || isRule(lines[next] ?? '')) break;
    const [{ length: width }, indent = ''] = item;
    const end = endOfItem(lines, next, indent.length);
    const rest = lines.slice(next + 1, end).map((line) => line.slice(Math.min(width, indentOf(line))));
    items.push(itemOf([(lines[next] ?? '').slice(width), ...rest], depth));
    // Items may be separated by empty lines.
    const filled = nextFilled(lines, end);
    next = ITEM.test(lines[filled] ?? '') ? filled : end;
  }
  const start = kind === '.' || kind === ')' ? Number.parseInt(first[2] ?? '1', 10) : undefined;
  return { block: { type: 'list', start, items }, next };
}

/** Returns the character that identifies a list: the bullet, or the sign after the number. */
const kindOf = (marker: string | undefined) => marker?.at(-1);

function itemOf(lines: Lines, depth: number): ListItem {
  const [first = '', ...rest] = lines;
  const box = BOX.exec(first);
  const blocks = parseLines(box ? [first.slice(box[0].length), ...rest] : lines, depth + 1);
  return box ? { isDone: box[1] !== ' ', blocks } : { blocks };
}

function nextFilled(lines: Lines, from: number): number {
  let at = from;
  while (at < lines.length && isBlank(lines[at])) at++;
  return at;
}

/** Returns the line after an item, which continues with indented lines and lines of its first paragraph. */
function endOfItem(lines: Lines, at: number, indent: number): number {
  let end = at + 1;
  for (let line = end; line < lines.length; line++) {
    const text = lines[line] ?? '';
    if (isBlank(text)) continue;
    const isInside = indentOf(text) >= indent + 2;
    const isLazy = line === end && !isBlank(lines[line - 1]) && !beginsBlock(text);
    if (!isInside && !isLazy) break;
    end = line + 1;
  }
  return end;
}

const beginsBlock = (line: string) =>
  FENCE.test(line) || MATH.test(line) || /^ {0,3}(?:#{1,6}\s|>)/.test(line) || ITEM.test(line) || isRule(line);

function readTable(lines: Lines, at: number): ParsedBlock | undefined {
  const head = lines[at] ?? '';
  const aligns = head.includes('|') ? alignsOf(lines[at + 1] ?? '') : undefined;
  if (!aligns || cellsOf(head).length !== aligns.length) return undefined;
  let end = at + 2;
  while (!isBlank(lines[end]) && lines[end]?.includes('|')) end++;
  const rows = lines.slice(at + 2, end).map((line) => cellsOf(line).slice(0, aligns.length));
  return { block: { type: 'table', head: cellsOf(head), rows, aligns }, next: end };
}

function alignsOf(line: string): readonly ColumnAlign[] | undefined {
  if (!line.includes('-')) return undefined;
  const cells = cellsOf(line);
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return undefined;
  return cells.map((cell) => {
    const isLeft = cell.startsWith(':');
    if (cell.endsWith(':')) return isLeft ? 'center' : 'right';
    return isLeft ? 'left' : undefined;
  });
}

function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function readParagraph(lines: Lines, at: number): ParsedBlock {
  let end = at + 1;
  while (end < lines.length && !isBlank(lines[end]) && !endsParagraph(lines, end)) end++;
  return { block: { type: 'paragraph', text: lines.slice(at, end).join('\n') }, next: end };
}

/** Only a list that starts at 1 interrupts a paragraph, because sentences can end with a year. */
function endsParagraph(lines: Lines, at: number): boolean {
  const line = lines[at] ?? '';
  const item = ITEM.exec(line)?.[2];
  if (item !== undefined && /^\d/.test(item) && Number.parseInt(item, 10) !== 1) return isRule(line);
  return beginsBlock(line) || (line.includes('|') && alignsOf(lines[at + 1] ?? '') !== undefined);
}

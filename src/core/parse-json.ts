import { EXACT_NUMBER_MARK, ExactNumber } from './exact-number.ts';
import { pointerSegment } from './json-pointer.ts';

/** Recursive code on either side of the wire can handle this depth. */
const MAX_DEPTH = 512;
/**
 * 33 MB of `[],[],…`, which is 32 KB of gzip, would block a server for seconds and take a gigabyte of memory. A million
 * structures take about half a second.
 */
const MAX_STRUCTURES = 1_000_000;
/** Maximum number of problems of each kind, one per top-level key; hostile text may have millions. */
const MAX_PROBLEMS = 50;
const MAX_POINTER = 200;

/** Part of a JSON text that a JavaScript value cannot represent, or must not contain. */
export interface JsonProblem {
  /** JSON pointer of the place. */
  readonly pointer: string;
  readonly kind: 'number' | 'key' | 'surrogate';
  readonly message: string;
}

interface JsonLimits {
  /** Levels of arrays and objects. @default 512 */
  readonly depth?: number;
  /** Arrays, objects and keys, and instances of `ExactNumber`. @default 1_000_000 */
  readonly structures?: number;
  /**
   * Returns an `ExactNumber` for each number that a double would change, also for long decimals, and reports no problems.
   *
   * @default false
   */
  readonly exactNumbers?: boolean;
  /** Accepts `NaN`, `Infinity` and `-Infinity`, which Python writes, as `{"$number": "NaN"}`. @default false */
  readonly nonFinite?: boolean;
}

/** Matches text that may have a problem. Most texts do not match, which skips the slow search. */
const SUSPICIOUS = /\d{16}|\d[eE]|\\u[dD][89a-fA-F]|__proto__|\\u005[fF]/;

/**
 * Parses JSON and reports what the value does not preserve: numbers that JavaScript would round or overflow, lone
 * surrogates, keys named `__proto__`. A number that overflows is null in the value.
 *
 * @throws JsonSyntaxError for invalid JSON and for text beyond a limit, which is not parsed.
 */
export function parseJson(
  given: string,
  { depth = MAX_DEPTH, structures = MAX_STRUCTURES, exactNumbers = false, nonFinite = false }: JsonLimits = {},
): { readonly value: unknown; readonly problems: readonly JsonProblem[] } {
  if (given.length > 2 * depth) checkStructure(given, depth, structures);
  const text = nonFinite ? markNonFinite(given) : given;
  const value = parse(text);
  if (exactNumbers) {
    return { value: mayBeInexact(text) ? parseWithExactNumbers(text, value, structures) : value, problems: [] };
  }
  const problems = SUSPICIOUS.test(text) ? findProblems(text) : [];
  return problems.length === 0 ? { value, problems } : { value: JSON.parse(text, finite), problems };
}

/** Parses trusted JSON of any size, with an `ExactNumber` for each number that a double would change. */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return mayBeInexact(text) ? parseWithExactNumbers(text, value, Number.POSITIVE_INFINITY) : value;
}

const finite = (_key: string, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? null : value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = text.trim() === '' ? 'invalid JSON: the text is empty' : 'invalid JSON';
    throw new JsonSyntaxError('syntax', message, { cause });
  }
}

const [COMMA, COLON] = [0x2c, 0x3a];
const [LETTER_I, LETTER_N] = [0x49, 0x4e];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** @throws JsonSyntaxError for text that would be too expensive to parse or to process. */
function checkStructure(text: string, maxDepth: number, maxStructures: number): void {
  let depth = 0;
  let structures = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) index = endOfString(text, index) - 1;
    else if (unit === COLON) structures++;
    else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) depth--;
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) {
      structures++;
      depth++;
      if (depth > maxDepth) throw new JsonSyntaxError('depth', `JSON nested deeper than ${maxDepth} levels`);
    }
  }
  if (structures <= maxStructures) return;
  const message = `JSON with ${structures} arrays, objects and keys: expected at most ${maxStructures}`;
  throw new JsonSyntaxError('structures', message);
}

/** Array or object that contains the current position in a text. */
interface NestingLevel {
  readonly isObject: boolean;
  /** Index of the current element, or position of the current member's key in the text. */
  place: number;
  isKeyNext: boolean;
}

/** Scans valid JSON text by character: it may be many megabytes, and tokens by regular expression would take seconds. */
function findProblems(text: string): JsonProblem[] {
  const problems = new Map<string, JsonProblem>();
  // Counts by kind: many problems of one kind must not hide another kind.
  const reported = { number: 0, key: 0, surrogate: 0 };
  const levels: NestingLevel[] = [];
  const report: ReportProblem = (kind, message) => {
    const place = `${kind} ${levels[0]?.place ?? 0}`;
    if (reported[kind] === MAX_PROBLEMS || problems.has(place)) return;
    reported[kind]++;
    problems.set(place, { pointer: pointerTo(text, levels).slice(0, MAX_POINTER).toWellFormed(), kind, message });
  };
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const level = levels.at(-1);
    if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      const isObject = unit === OPEN_BRACE;
      levels.push({ isObject, place: 0, isKeyNext: isObject });
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      levels.pop();
    } else if (unit === COMMA && level) {
      if (level.isObject) level.isKeyNext = true;
      else level.place++;
    } else if (unit === QUOTE) {
      const end = endOfString(text, index);
      const isKey = level?.isKeyNext ?? false;
      if (level && isKey) Object.assign(level, { place: index, isKeyNext: false });
      checkString(text.slice(index, end), isKey, report);
      index = end - 1;
    } else if (unit === MINUS || isDigit(unit)) {
      const end = endOfNumber(text, index);
      if (!isExactNumber(text.slice(index, end))) {
        report('number', 'is a number that cannot be kept exactly; send it as a string');
      }
      index = end - 1;
    }
  }
  return [...problems.values()];
}

type ReportProblem = (kind: JsonProblem['kind'], message: string) => void;

function checkString(literal: string, isKey: boolean, report: ReportProblem): void {
  const isEscaped = literal.includes('\\');
  if (!isEscaped && literal !== '"__proto__"') return;
  const string: string = JSON.parse(literal);
  if (isKey && string === '__proto__') report('key', 'is not accepted as a key');
  if (!string.isWellFormed()) report('surrogate', 'contains half of a surrogate pair, which is not a character');
}

function pointerTo(text: string, levels: readonly NestingLevel[]): string {
  const keys = levels.map(({ isObject, place }) =>
    isObject ? (JSON.parse(text.slice(place, endOfString(text, place))) as string) : String(place),
  );
  return keys.map(pointerSegment).join('');
}

const NON_FINITE = /-?Infinity|NaN/y;

/** Replaces the tokens `NaN`, `Infinity` and `-Infinity` outside of strings by `{"$number": "NaN"}`. */
function markNonFinite(text: string): string {
  if (!text.includes('NaN') && !text.includes('Infinity')) return text;
  const pieces: string[] = [];
  let last = 0;
  for (let index = 0; index < text.length; ) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) {
      index = endOfString(text, index);
      continue;
    }
    NON_FINITE.lastIndex = index;
    const [token] = unit === LETTER_N || unit === LETTER_I || unit === MINUS ? (NON_FINITE.exec(text) ?? []) : [];
    if (token !== undefined) {
      pieces.push(text.slice(last, index), `{"$number":"${token}"}`);
      last = index + token.length;
    }
    index += token?.length ?? 1;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(last);
}

/**
 * Returns true if JavaScript represents the number of a literal. A literal with a fraction or an exponent means the nearest
 * double, which must be 0 only for zero. An integer means exactly this integer, or the double that JavaScript formats like
 * this.
 */
export function isExactNumber(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  if (/[.eE]/.test(literal)) return value !== 0 || !/[1-9]/.test(literal.split(/[eE]/)[0] ?? '');
  return Number.isSafeInteger(value) || String(value) === literal || BigInt(value) === BigInt(literal);
}

/** Matches text that may have an inexact number; those of at most 15 digits are exact. Most texts do not match. */
const INEXACT = /(?:^|[\s:,[])(?:-?[\d.]{16}|-?\d[\d.]*[eE]|-0(?![.\d]*[1-9]))/;

/** Returns false for text in which every number is exact. */
const mayBeInexact = (text: string): boolean => INEXACT.test(text);

/** Number of literals that are replaced at a time, so that there are not millions of pieces. */
const BATCH = 10_000;

/**
 * Parses JSON again, with an `ExactNumber` for each number that a double would change.
 *
 * @param value value of the text, which is returned if all numbers are exact.
 * @param max maximum number of instances.
 * @throws JsonSyntaxError for text with more of them.
 */
function parseWithExactNumbers(text: string, value: unknown, max: number): unknown {
  const batches: string[] = [];
  let pieces: string[] = [];
  let count = 0;
  let last = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) index = endOfString(text, index) - 1;
    else if (unit === MINUS || isDigit(unit)) {
      const end = endOfNumber(text, index);
      const literal = text.slice(index, end);
      if (!isSameNumber(literal)) {
        if (++count > max) throw new JsonSyntaxError('structures', `JSON with more than ${max} numbers of many digits`);
        pieces.push(text.slice(last, index), `"${EXACT_NUMBER_MARK}`, literal, '"');
        last = end;
        if (count % BATCH === 0) batches.push(pieces.join(''));
        if (count % BATCH === 0) pieces = [];
      }
      index = end - 1;
    }
  }
  if (count === 0) return value;
  pieces.push(text.slice(last));
  batches.push(pieces.join(''));
  return JSON.parse(batches.join(''), (_key, each) =>
    typeof each === 'string' && each.startsWith(EXACT_NUMBER_MARK)
      ? new ExactNumber(each.slice(EXACT_NUMBER_MARK.length))
      : each,
  );
}

/** Longest literal without exponent whose digits a double always keeps, with sign and point. */
const EXACT_LENGTH = 15;

/**
 * Returns true if the double of a number literal has the same value, digit for digit. An integer from 1e21 on is not the
 * same: JavaScript writes it with an exponent, which other languages read as a floating-point number.
 */
function isSameNumber(literal: string): boolean {
  if (literal.length <= EXACT_LENGTH && !/[eE]|^-0/.test(literal)) return true;
  const double = String(Number(literal));
  if (double.includes('e') && !/[.eE]/.test(literal)) return false;
  return decimalOf(literal) === decimalOf(double);
}

/** Returns a decimal number in one form for each value: sign, digits without outer zeros, exponent. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(literal) ?? [literal];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return `${sign}0`;
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;

/** Returns the index after the closing quote: the first that an even number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end + 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && /[\d.eE+-]/.test(text.charAt(index))) index++;
  return index;
}

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;

/**
 * The text is not valid JSON, or exceeds a limit. The message never quotes the text, which may contain secrets; the message
 * of its `cause`, the error of the engine, does.
 */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly reason: 'syntax' | 'depth' | 'structures';

  constructor(reason: JsonSyntaxError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

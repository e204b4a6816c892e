/** The deepest nesting that is accepted; recursive code on any side of the wire survives it. */
const MAX_DEPTH = 512;
/**
 * The most arrays, objects and keys. 33 MB of `[],[],…`, which gzip packs into 32 KB, would take seconds to parse, in
 * which the server answers nobody, and a gigabyte of memory. A million take about half a second.
 */
const MAX_STRUCTURES = 1_000_000;
/** So many problems of each kind are told, one for each key at the top; a hostile body may have millions. */
const MAX_PROBLEMS = 50;
const MAX_POINTER = 200;

/** Something that JSON text says and a JavaScript value cannot keep, or must not. */
export interface JsonProblem {
  /** JSON pointer of the place. */
  readonly pointer: string;
  readonly kind: 'number' | 'key' | 'surrogate';
  readonly message: string;
}

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** What a problem begins with; text without any of these has none, which spares most bodies the slow look. */
const SUSPICIOUS = /\d{16}|\d[eE]|\\u[dD][89a-fA-F]|__proto__|\\u005[fF]/;

/**
 * Parses JSON text and tells what the value does not keep: numbers that JavaScript would round or overflow, halves of
 * surrogate pairs, keys named `__proto__`. An overflown number is null in the value.
 *
 * @throws JsonSyntaxError for invalid JSON, for nesting deeper than 512 levels, and for more than a million arrays, objects
 * and keys.
 */
export function parseJson(text: string): { value: unknown; problems: readonly JsonProblem[] } {
  if (text.length > 2 * MAX_DEPTH) checkStructure(text);
  const value = parse(text);
  const problems = SUSPICIOUS.test(text) ? findProblems(text) : [];
  return problems.length === 0 ? { value, problems } : { value: JSON.parse(text, finite), problems };
}

const finite = (_key: string, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? null : value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text, which may hold secrets.
    throw new JsonSyntaxError(text.trim() === '' ? 'empty body where JSON is required' : 'invalid JSON');
  }
}

const [QUOTE, BACKSLASH, COMMA, COLON, MINUS] = [0x22, 0x5c, 0x2c, 0x3a, 0x2d];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** @throws JsonSyntaxError for text that would be too expensive to parse, or to walk through later. */
function checkStructure(text: string): void {
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
      if (depth > MAX_DEPTH) throw new JsonSyntaxError(`JSON nested deeper than ${MAX_DEPTH} levels`);
    }
  }
  if (structures <= MAX_STRUCTURES) return;
  throw new JsonSyntaxError(`JSON with ${structures} arrays, objects and keys: expected at most ${MAX_STRUCTURES}`);
}

/** Where the walk through a text is inside of one array or object. */
interface Level {
  readonly isObject: boolean;
  /** The element's index, or where the member's key stands in the text. */
  place: number;
  isKeyNext: boolean;
}

/** Walks valid JSON text by hand: it may be many megabytes, and tokens by regular expression would take seconds. */
function findProblems(text: string): JsonProblem[] {
  const problems = new Map<string, JsonProblem>();
  // A kind that there is much of must not hide another.
  const told = { number: 0, key: 0, surrogate: 0 };
  const levels: Level[] = [];
  const report: Report = (kind, message) => {
    const place = `${kind} ${levels[0]?.place ?? 0}`;
    if (told[kind] === MAX_PROBLEMS || problems.has(place)) return;
    told[kind]++;
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
      if (!isExact(text.slice(index, end))) {
        report('number', 'is a number that cannot be kept exactly; send it as a string');
      }
      index = end - 1;
    }
  }
  return [...problems.values()];
}

type Report = (kind: JsonProblem['kind'], message: string) => void;

function checkString(literal: string, isKey: boolean, report: Report): void {
  const isEscaped = literal.includes('\\');
  if (!isEscaped && literal !== '"__proto__"') return;
  const string: string = JSON.parse(literal);
  if (isKey && string === '__proto__') report('key', 'is not accepted as a key');
  if (!string.isWellFormed()) report('surrogate', 'holds half of a surrogate pair, which is no character');
}

function pointerTo(text: string, levels: readonly Level[]): string {
  const keys = levels.map(({ isObject, place }) =>
    isObject ? (JSON.parse(text.slice(place, endOfString(text, place))) as string) : String(place),
  );
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The index after the closing quote. */
function endOfString(text: string, start: number): number {
  for (let index = start + 1; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === BACKSLASH) index++;
    else if (unit === QUOTE) return index + 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && /[\d.eE+-]/.test(text.charAt(index))) index++;
  return index;
}

const isDigit = (unit: number) => unit >= 0x30 && unit <= 0x39;

/**
 * A literal with a fraction or exponent means a double on every side; a plain integer means just that integer, unless it
 * is how JavaScript writes one of its own.
 */
function isExact(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  if (/[.eE]/.test(literal)) return value !== 0 || !/[1-9]/.test(literal.split(/[eE]/)[0] ?? '');
  return Number.isSafeInteger(value) || String(value) === literal || BigInt(value) === BigInt(literal);
}

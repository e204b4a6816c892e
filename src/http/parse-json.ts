/** The deepest nesting that is accepted; recursive code on any side of the wire survives it. */
const MAX_DEPTH = 512;

/** Something that JSON text says and a JavaScript value cannot keep, or must not. */
export interface JsonProblem {
  /** JSON pointer of the place. */
  readonly pointer: string;
  readonly message: string;
}

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** What a problem begins with; text without any of these has none, which spares most bodies the slow look. */
const SUSPICIOUS = /\d{16}|\d[eE]|\\u[dD][89a-fA-F]|__proto__|\\u005[fF]/;

/**
 * Parses JSON text and tells what the value does not keep: numbers that JavaScript would round or overflow, halves of
 * surrogate pairs, keys named `__proto__`.
 *
 * @throws JsonSyntaxError for invalid JSON and for nesting deeper than 512 levels.
 */
export function parseJson(text: string): { value: unknown; problems: readonly JsonProblem[] } {
  const deep = text.length > 2 * MAX_DEPTH;
  if (deep && nesting(text) > MAX_DEPTH) throw new JsonSyntaxError(`JSON nested deeper than ${MAX_DEPTH} levels`);
  const value = parse(text);
  return { value, problems: SUSPICIOUS.test(text) ? findProblems(text) : [] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes the text, which may hold secrets.
    throw new JsonSyntaxError(text.trim() === '' ? 'empty body where JSON is required' : 'invalid JSON');
  }
}

function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const token of tokens(text)) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth);
    else if (token === '}' || token === ']') depth--;
  }
  return deepest;
}

/** Walks the tokens of valid JSON text with the path of each. */
function findProblems(text: string): JsonProblem[] {
  const problems: JsonProblem[] = [];
  const path: (string | number)[] = [];
  const report = (message: string) =>
    problems.push({ pointer: path.map((key) => `/${escapePointer(String(key))}`).join(''), message });
  const inObject: boolean[] = [];
  let key = false;

  for (const token of tokens(text)) {
    const first = token[0];
    if (first === '{' || first === '[') {
      inObject.push(first === '{');
      path.push(0);
      key = first === '{';
    } else if (first === '}' || first === ']') {
      inObject.pop();
      path.pop();
      key = false;
    } else if (first === ',') {
      key = inObject.at(-1) ?? false;
      if (!key) path.push((path.pop() as number) + 1);
    } else if (first === '"') {
      const string: string = JSON.parse(token);
      if (key) path.splice(-1, 1, string);
      if (key && string === '__proto__') report('is not accepted as a key');
      if (!string.isWellFormed()) report('holds half of a surrogate pair, which is no character');
      key = false;
    } else if (first !== ':' && !isExact(token)) {
      report(`is the number ${abbreviate(token)}, which cannot be kept exactly; send it as a string`);
    }
  }
  return problems;
}

/**
 * The tokens of JSON text that matter here. Strings are found by hand: a regular expression for them would run out of
 * stack on long ones.
 */
function* tokens(text: string): Generator<string> {
  const next = /["{}[\],]|-?\d[\d.eE+-]*/g;
  for (let match = next.exec(text); match; match = next.exec(text)) {
    if (match[0] !== '"') {
      yield match[0];
      continue;
    }
    const end = endOfString(text, match.index + 1);
    yield text.slice(match.index, end);
    next.lastIndex = end;
  }
}

function endOfString(text: string, start: number): number {
  for (let index = start; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0x5c) index++;
    else if (unit === 0x22) return index + 1;
  }
  return text.length;
}

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

const abbreviate = (literal: string) => (literal.length > 40 ? `${literal.slice(0, 40)}...` : literal);

const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1');

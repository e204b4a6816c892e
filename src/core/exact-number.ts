import { toHex } from './bytes.ts';
import { endOfNumber, endOfString, isDigit, JsonSyntaxError, MINUS, QUOTE } from './json-tokens.ts';
import { randomBytes } from './random.ts';

/**
 * A number of a JSON text that a double would change, such as `12345678901234567890`. Keeps its literal: `parseJson`
 * creates it on request, and `stringifyJson` writes it as it was. `JSON.stringify` writes the nearest double.
 */
export class ExactNumber {
  readonly #literal: string;

  constructor(literal: string) {
    this.#literal = literal;
  }

  /** The number as it was written. */
  get literal(): string {
    return this.#literal;
  }

  /** The nearest double, which is infinite for a number beyond all doubles. */
  valueOf(): number {
    return Number(this.#literal);
  }

  toJSON(): string | number | null {
    if (marking === undefined) return Number.isFinite(this.valueOf()) ? this.valueOf() : null;
    marking.isUsed = true;
    return MARK + this.#literal;
  }
}

/** Set while `stringifyJson` runs. */
let marking: { isUsed: boolean } | undefined;

/** Begins the string that stands for a number while JSON is parsed or written. Random, so that no client sends it. */
const MARK = `#${toHex(randomBytes(6))}#`;
const MARKED = new RegExp(`"${MARK}([-+.0-9eE]*)"`, 'g');

/** Like `JSON.stringify`, whose types it has, but writes each `ExactNumber` as its literal. */
export function stringifyJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  const outer = marking;
  marking = { isUsed: false };
  try {
    const text = JSON.stringify(value, replacer);
    // A replacer may have masked the digits.
    return marking.isUsed ? text.replaceAll(MARKED, '$1').replaceAll(`"${MARK}`, '"') : text;
  } finally {
    marking = outer;
  }
}

/** Matches text that may have an inexact number; those of at most 15 digits are exact. Most texts do not match. */
const SUSPICIOUS = /(?:^|[\s:,[])(?:-?[\d.]{16}|-?\d[\d.]*[eE]|-0(?![.\d]*[1-9]))/;

/** Returns false for text in which every number is exact. */
export const mayBeInexact = (text: string): boolean => SUSPICIOUS.test(text);

/** Number of literals that are replaced at a time, so that there are not millions of pieces. */
const BATCH = 10_000;

/**
 * Parses JSON again, with an `ExactNumber` for each number that a double would change.
 *
 * @param value value of the text, which is returned if all numbers are exact.
 * @param max maximum number of instances.
 * @throws JsonSyntaxError for text with more of them.
 */
export function parseWithExactNumbers(text: string, value: unknown, max: number): unknown {
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
        pieces.push(text.slice(last, index), `"${MARK}`, literal, '"');
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
    typeof each === 'string' && each.startsWith(MARK) ? new ExactNumber(each.slice(MARK.length)) : each,
  );
}

/** Longest literal without exponent whose digits a double always keeps, with sign and point. */
const EXACT_LENGTH = 15;

/** Returns true if the double of a number literal has the same value, digit for digit. */
function isSameNumber(literal: string): boolean {
  if (literal.length <= EXACT_LENGTH && !/[eE]|^-0/.test(literal)) return true;
  return decimalOf(literal) === decimalOf(String(Number(literal)));
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

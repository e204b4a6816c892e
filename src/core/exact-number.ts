import { toHex } from './bytes.ts';
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
    return EXACT_NUMBER_MARK + this.#literal;
  }
}

/** Set while `stringifyJson` runs. */
let marking: { isUsed: boolean } | undefined;

/** Begins the string that stands for a number while JSON is parsed or written. Random, so that no client sends it. */
export const EXACT_NUMBER_MARK = `#${toHex(randomBytes(6))}#`;
const MARKED = new RegExp(`"${EXACT_NUMBER_MARK}([-+.0-9eE]*)"`, 'g');

/** Like `JSON.stringify`, whose types it has, but writes each `ExactNumber` as its literal. */
export function stringifyJson(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  const outer = marking;
  marking = { isUsed: false };
  try {
    const text = JSON.stringify(value, replacer);
    // A replacer may have masked the digits.
    return marking.isUsed ? text.replaceAll(MARKED, '$1').replaceAll(`"${EXACT_NUMBER_MARK}`, '"') : text;
  } finally {
    marking = outer;
  }
}

/** Escape of a lone surrogate in JSON; also matches an escaped backslash before such text, which is harmless. */
const LONE_SURROGATE = /\\ud[89a-f]/;

/** Returns JSON without lone surrogates, not even as escapes: parsers of other languages reject the whole text. */
export function wellFormedJson(value: unknown): string {
  const json = stringifyJson(value);
  if (!LONE_SURROGATE.test(json)) return json;
  return stringifyJson(value, (_key, part) => (typeof part === 'string' ? part.toWellFormed() : part));
}

import type { JSONObject } from '../../../generated/trace.ts';
import { isRecord, parseOrUndefined } from '../../protocol/index.ts';
import { kindOf, type Report } from './issues.ts';

/** With a block and a batch around them, arguments still fit into the 512 levels of a request. */
const MAX_DEPTH = 500;

type Refusal = Parameters<Report> extends [string, ...infer Rest] ? Rest : never;

/** Arguments that a model wrote as JSON text: the object that it stands for, or the rule that it breaks. */
export type ParsedArguments =
  | { readonly value: JSONObject; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly value?: never };

/** Parses arguments that are given as text; nothing that the object would not keep is accepted. */
export function parseArguments(text: string): ParsedArguments {
  const { depth, changed } = scanJson(text);
  if (depth > MAX_DEPTH) {
    return { refusal: ['arguments_not_json', `JSON of at most ${MAX_DEPTH} levels`, 'text nested deeper'] };
  }
  const value = parseOrUndefined(text);
  if (value === undefined) return { refusal: ['arguments_not_json', 'an object, or JSON text of one', 'other text'] };
  if (!isRecord(value))
    return { refusal: ['arguments_not_object', 'JSON text of an object', `${kindOf(value)} as text`] };
  if (changed) return { refusal: ['number_not_preserved', 'numbers that a double keeps', 'a number that it changes'] };
  return { value: value as JSONObject };
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/** How deep a text of JSON nests, and whether it has a number that JSON.parse changes. */
export function scanJson(text: string): { depth: number; changed: boolean } {
  let [level, depth, changed] = [0, 0, false];
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') index = endOfString(text, index);
    else if (character === '{' || character === '[') depth = Math.max(depth, ++level);
    else if (character === '}' || character === ']') level--;
    else if (character === '-' || (character >= '0' && character <= '9')) {
      NUMBER.lastIndex = index;
      const [literal] = NUMBER.exec(text) ?? [character];
      changed ||= !isKept(literal);
      index += literal.length - 1;
    }
  }
  return { depth, changed };
}

/** The index of the closing quote: the first that an even number of backslashes precedes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text[before - 1] === '\\') before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/**
 * A fraction or an exponent asks for a double; a plain integer means just that integer, unless it is how JavaScript
 * writes one of its own.
 */
function isKept(literal: string): boolean {
  const value = Number(literal);
  if (Number.isSafeInteger(value)) return value !== 0 || !/[1-9]/.test(literal.split(/[eE]/)[0] ?? '');
  if (!Number.isFinite(value)) return false;
  return /[.eE]/.test(literal) || String(value) === literal || BigInt(value) === BigInt(literal);
}

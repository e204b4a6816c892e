/** Values of this length do not appear in a text by accident. */
const MIN_LONG_LENGTH = 12;

/** Values that a task should hide, and the text that may contain them. */
export interface HiddenValue {
  readonly index: number;
  readonly values: readonly string[];
  readonly text: string;
}

export interface Leak {
  /** Index of the task. */
  readonly index: number;
  readonly value: string;
  /** Number of tasks with a leak. */
  readonly count: number;
}

/**
 * Finds values that appear in the texts of their tasks. A short value may appear by accident, or as one of the choices
 * that all tasks list, so short values count only if all tasks contain theirs and most do not contain those of others.
 */
export function findLeak(secrets: readonly HiddenValue[]): Leak | undefined {
  const found = secrets.flatMap(({ index, values, text }) => {
    const value = values.filter((each) => containsWord(text, each)).sort((a, b) => b.length - a.length)[0];
    return value === undefined ? [] : [{ index, value, text }];
  });
  const [first] = found;
  if (!first) return undefined;
  const long = found.find(({ value }) => value.length >= MIN_LONG_LENGTH);
  if (long) return { index: long.index, value: long.value, count: found.length };
  if (found.length < secrets.length || !isSpecific(found)) return undefined;
  return { index: first.index, value: first.value, count: found.length };
}

/** Returns whether the values differ, and most of them do not appear in the texts of other tasks. */
function isSpecific(found: readonly { readonly value: string; readonly text: string }[]): boolean {
  const pairs = found.flatMap((one) =>
    found.filter(({ value }) => value !== one.value).map(({ value }) => [one.text, value] as const),
  );
  const crossed = pairs.filter(([text, value]) => containsWord(text, value)).length;
  return pairs.length > 0 && crossed * 2 < pairs.length;
}

/** Returns whether a text contains a value, other than as part of a longer word or number. */
function containsWord(text: string, value: string): boolean {
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    const before = isWord(value[0]) && isWord(text[at - 1]);
    const after = isWord(value.at(-1)) && isWord(text[at + value.length]);
    const isDecimal = /\d$/.test(value) && /^[.,]\d/.test(text.slice(at + value.length));
    if (!before && !after && !isDecimal) return true;
  }
  return false;
}

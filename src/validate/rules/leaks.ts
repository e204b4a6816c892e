import { containsWord } from '../words.ts';

/** As many letters do not stand in a text by accident. */
export const MIN_LONG_LENGTH = 12;

/** What one task should not tell, and where it might. */
export interface HiddenValue {
  readonly index: number;
  readonly values: readonly string[];
  readonly text: string;
}

export interface Leak {
  readonly index: number;
  readonly value: string;
  /** In how many tasks. */
  readonly count: number;
}

/**
 * The values of tasks that stand in their texts. A short one may stand there by accident, or as one of the choices that
 * all tasks name; so short ones count only where all tasks have theirs, and most have not those of the others.
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
  if (found.length < secrets.length || !tellsApart(found)) return undefined;
  return { index: first.index, value: first.value, count: found.length };
}

/** Whether there are different values, of which most do not stand in the texts of other tasks. */
function tellsApart(found: readonly { readonly value: string; readonly text: string }[]): boolean {
  const pairs = found.flatMap((one) =>
    found.filter(({ value }) => value !== one.value).map(({ value }) => [one.text, value] as const),
  );
  const crossed = pairs.filter(([text, value]) => containsWord(text, value)).length;
  return pairs.length > 0 && crossed * 2 < pairs.length;
}

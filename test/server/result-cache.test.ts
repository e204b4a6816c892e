import { expect, jest, test } from '@jest/globals';
import { type CachedResult, ResultCache } from '../../src/server/calls/result-cache.ts';

const NOT_KEPT = { bytes: 0, expiresAt: 0, older: undefined, younger: undefined };
const FOREVER = { lingerMs: 1_000, lingerBytes: Infinity, now: () => 0 };

test.each([1, 2, 10])('removes the oldest of more than %i results, however many were removed before', (lingerCount) => {
  const results = new ResultCache({ ...FOREVER, lingerCount });
  const forgotten: number[] = [];
  const numbered = (number: number): CachedResult => ({
    ...NOT_KEPT,
    owner: { forget: () => void forgotten.push(number) },
  });
  const all = Array.from({ length: 999 }, (_, number) => numbered(number));

  for (const [number, result] of all.entries()) {
    results.add(result, 1);
    if (number % 3 === 0) results.remove(result);
  }

  const expected = all.flatMap((_, number) => (number % 3 === 0 ? [] : [number])).slice(0, -lingerCount);
  expect(forgotten).toEqual(expected);
});

test('moves a result that is added again to the end', () => {
  const results = new ResultCache({ ...FOREVER, lingerCount: 2 });
  const forgotten: string[] = [];
  const named = (name: string): CachedResult => ({
    ...NOT_KEPT,
    owner: { forget: () => void forgotten.push(name) },
  });
  const [first, second, third] = [named('first'), named('second'), named('third')] as const;
  results.add(first, 1);
  results.add(second, 1);

  results.remove(first);
  results.add(first, 1);
  results.add(third, 1);

  expect(forgotten).toEqual(['second']);
});

test('frees the bytes of a removed result', () => {
  const results = new ResultCache({ ...FOREVER, lingerCount: 99, lingerBytes: 5_000 });
  const forget = jest.fn();
  const result = Array.from({ length: 10 }, (): CachedResult => ({ ...NOT_KEPT, owner: { forget } }));

  for (const each of result) {
    results.add(each, 2_000);
    results.remove(each);
  }
  for (const each of result.slice(0, 2)) results.add(each, 1_500);

  expect(forget).not.toHaveBeenCalled();
});

import { expect, test } from '@jest/globals';
import { Numbered } from '../../src/server/calls/numbered.ts';
import fc from '../support/fast-check.ts';

const change = fc.record({ number: fc.nat(1_000), isSet: fc.boolean() });

test('numbered values are those of a Map with the same numbers', () => {
  fc.assert(
    fc.property(fc.array(change, { size: '+1' }), (changes) => {
      const numbered = new Numbered<string>();
      const map = new Map<number, string>();

      for (const [index, { number, isSet }] of changes.entries()) {
        if (isSet) numbered.set(number, `${index}`);
        else numbered.delete(number);
        if (isSet) map.set(number, `${index}`);
        else map.delete(number);
        for (const each of [number, number + 256, number + 2 ** 32, number + 2 ** 40]) {
          expect(numbered.get(each)).toBe(map.get(each));
        }
      }

      const visited: string[] = [];
      numbered.forEach((value) => void visited.push(value));
      expect(visited.sort()).toEqual([...map.values()].sort());
    }),
  );
});

import { expect, test } from '@jest/globals';
import { PagedArray } from '../../src/server/calls/call-table.ts';
import fc from '../support/fast-check.ts';

const change = fc.record({ number: fc.nat(1_000), isSet: fc.boolean() });

test('contains the same values as a Map', () => {
  fc.assert(
    fc.property(fc.array(change, { size: '+1' }), (changes) => {
      const array = new PagedArray<string>();
      const map = new Map<number, string>();

      for (const [index, { number, isSet }] of changes.entries()) {
        if (isSet) array.set(number, `${index}`);
        else array.delete(number);
        if (isSet) map.set(number, `${index}`);
        else map.delete(number);
        for (const each of [number, number + 256, number + 2 ** 32, number + 2 ** 40]) {
          expect(array.get(each)).toBe(map.get(each));
        }
      }

      const visited: string[] = [];
      array.forEach((value) => void visited.push(value));
      expect(visited.sort()).toEqual([...map.values()].sort());
    }),
  );
});

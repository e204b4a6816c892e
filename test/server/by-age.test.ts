import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ByAge } from '../../src/server/sessions/by-age.ts';

const change = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd'), isAdded: fc.boolean() });

test('the oldest entry is the one that was set the longest ago of those that are left', () => {
  fc.assert(
    fc.property(fc.array(change), (changes) => {
      const byAge = new ByAge<number>();
      const plain: { key: string; value: number }[] = [];

      for (const [value, { key, isAdded }] of changes.entries()) {
        const place = plain.findIndex((entry) => entry.key === key);
        if (place >= 0) plain.splice(place, 1);
        if (isAdded) plain.push({ key, value });
        if (isAdded) byAge.set(key, value);
        else byAge.delete(key);

        expect(byAge.size).toBe(plain.length);
        expect(byAge.oldest?.key).toBe(plain[0]?.key);
        expect(byAge.get(key)).toBe(isAdded ? value : undefined);
      }
    }),
  );
});

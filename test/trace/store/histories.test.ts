import { expect, test } from '@jest/globals';
import { createMemoryStore, openSqliteStore } from '../../../src/trace/store/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { testUnless } from '../../support/optional.ts';
import { bodies, play } from './histories.ts';
import { sqliteMissing } from './stores.ts';

testUnless(sqliteMissing)(
  'a SQLite store returns the same results, blocks, trees and lists as the memory store, whatever is sent',
  async () => {
    let refused = 0;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(bodies, async (requests) => {
        const now = () => 1_700_000_000_000;
        await using sqlite = await openSqliteStore({ path: ':memory:', now });

        const expected = await play(createMemoryStore({ now }), requests);
        const found = await play(sqlite, requests);

        expect(found).toEqual(expected);
        expect(found.problems).toEqual([]);
        refused += found.results.filter((answer) => 'code' in answer).length;
        accepted += found.results.filter((answer) => 'receipts' in answer).length;
      }),
      { numRuns: runs(63) },
    );
    // Otherwise the histories would test nothing.
    expect(Math.min(refused, accepted)).toBeGreaterThan(40);
  },
);

test('creates different histories', () => {
  expect(new Set(fc.sample(bodies, 20).map((each) => JSON.stringify(each))).size).toBe(20);
});

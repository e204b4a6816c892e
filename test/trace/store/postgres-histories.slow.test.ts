import { afterAll, expect } from '@jest/globals';
import { createMemoryStore } from '../../../src/trace/store/index.ts';
import fc, { runs } from '../../support/fast-check.ts';
import { testUnless } from '../../support/optional.ts';
import { bodies, play } from './histories.ts';
import { postgresMissing, startPostgres } from './postgres-server.ts';

const server = postgresMissing === undefined ? await startPostgres() : undefined;

afterAll(async () => server?.[Symbol.asyncDispose]());

testUnless(postgresMissing)(
  'a PostgreSQL store returns the same results, blocks, trees and lists as the memory store, whatever is sent',
  async () => {
    if (!server) throw new Error(postgresMissing);
    let refused = 0;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(bodies, async (requests) => {
        const now = () => 1_700_000_000_000;
        await using postgres = await server.openStore({ now });

        const expected = await play(createMemoryStore({ now }), requests);
        const found = await play(postgres, requests);

        expect(found).toEqual(expected);
        expect(found.problems).toEqual([]);
        refused += found.results.filter((answer) => 'code' in answer).length;
        accepted += found.results.filter((answer) => 'receipts' in answer).length;
      }),
      { numRuns: runs(38) },
    );
    // Otherwise the histories would test nothing.
    expect(Math.min(refused, accepted)).toBeGreaterThan(25);
  },
);

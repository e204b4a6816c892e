import { afterAll, beforeAll, test } from '@jest/globals';
import type { SqlDriver } from '../../src/trace/store/index.ts';
import fc, { runs } from '../support/fast-check.ts';
import { withDeadline } from '../support/until.ts';
import { ModelCluster } from './model-cluster.ts';
import { openDatabase } from './model-nodes.ts';
import { modes, steps } from './model-steps.ts';

/** A run starts four servers, so `make test` has few, and `make properties` 100,000. */
const RUNS = process.env.ORS_TEST_RUNS === undefined ? runs(800) : runs(5_000);
const TIMEOUT_MS = 7_200_000;

let database: SqlDriver;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.close());

test(
  'loses nothing that is stored, runs and pays nothing twice, whatever servers and database do',
  () =>
    fc.assert(
      fc.asyncProperty(modes, steps, async (mode, commands) => {
        await using cluster = await ModelCluster.start(database, mode);
        await fc.asyncModelRun(() => ({ model: {}, real: cluster }), commands);
        await withDeadline(cluster.verify(), 'the end of the verification');
      }),
      { numRuns: RUNS },
    ),
  TIMEOUT_MS,
);

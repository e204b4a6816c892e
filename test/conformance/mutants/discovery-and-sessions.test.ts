import { expect, jest, test } from '@jest/globals';
import { discoveryMutants } from './discovery/index.ts';
import { matrixOf } from './matrix.ts';
import { sessionsMutants } from './sessions/index.ts';

// Each mutant needs a run of the suite.
jest.setTimeout(800_000);

test('detects every mutant by exactly its declared checks, and passes the healthy server', async () => {
  expect(await matrixOf([...discoveryMutants, ...sessionsMutants])).toEqual({ healthy: [], mismatches: [] });
});

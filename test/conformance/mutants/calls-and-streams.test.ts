import { expect, jest, test } from '@jest/globals';
import { callsMutants } from './calls/index.ts';
import { extensionMutants } from './extensions/index.ts';
import { matrixOf } from './matrix.ts';
import { streamsMutants } from './streams/index.ts';

// Each mutant needs a run of the suite.
jest.setTimeout(800_000);

test('detects every mutant by exactly its declared checks, and passes the healthy server', async () => {
  expect(await matrixOf([...callsMutants, ...streamsMutants, ...extensionMutants])).toEqual({
    healthy: [],
    mismatches: [],
  });
});

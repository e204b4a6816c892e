import { expect, jest, test } from '@jest/globals';
import { callsMutants } from './calls/index.ts';
import { matrixOf } from './matrix.ts';
import { streamsMutants } from './streams/index.ts';

// Each mutant is a run of the suite.
jest.setTimeout(800_000);

test('every mutant is noticed by exactly the checks that it declares, and the healthy server by none', async () => {
  expect(await matrixOf([...callsMutants, ...streamsMutants])).toEqual({ healthy: [], mismatches: [] });
});

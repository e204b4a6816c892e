import { expect, test } from '@jest/globals';
import { breaks } from '../interop/viewer/breaks/index.ts';
import { problemsOf } from '../interop/viewer/breaks/problems.ts';

test('finds the line of every break of `make viewer-breaks` exactly once', () => {
  expect(problemsOf(breaks)).toEqual([]);
});

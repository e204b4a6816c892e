import { expect, test } from '@jest/globals';
import { compileExamples, listWithoutExample, readSources } from './examples.ts';

const sources = readSources();

test('finds an example for every exported declaration', () => {
  const found = listWithoutExample(sources);

  expect(found).toEqual([]);
});

test('compiles the examples of all comments', () => {
  const found = compileExamples(sources);

  expect(sources.examples.length).toBeGreaterThan(400);
  expect(found).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { compileExamples, listWithoutExample, readSources } from './examples.ts';

const sources = readSources();

test('every declaration that the package exports has an example', () => {
  const found = listWithoutExample(sources);

  expect(found).toEqual([]);
});

test('the examples of all comments compile', () => {
  const found = compileExamples(sources);

  expect(sources.examples.length).toBeGreaterThan(400);
  expect(found).toEqual([]);
});

import { expect, test } from '@jest/globals';
import { findLeak } from '../../src/validate/rules/answers.ts';

const secrets = (textOf: (value: string) => string) =>
  ['red', 'green', 'blue'].map((value, index) => ({ index, values: [value], text: textOf(value) }));

test('reports short values that appear only in the texts of their tasks', () => {
  expect(findLeak(secrets((value) => `It is ${value}.`))).toEqual({ index: 0, value: 'red', count: 3 });
});

test('does not report short values that are choices in the texts of all tasks', () => {
  expect(findLeak(secrets(() => 'Is it red, green or blue?'))).toBeUndefined();
});

test('does not report short values that only some texts have', () => {
  expect(findLeak(secrets((value) => (value === 'red' ? 'It is red.' : 'What is it?')))).toBeUndefined();
});

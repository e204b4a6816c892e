import { expect, test } from '@jest/globals';
import { asksForCopy, containsValue, LABELLED_VALUES, labelledValue } from '../../src/audit/labels.ts';

const valuesIn = (text: string) => LABELLED_VALUES.map((pattern) => labelledValue(text, pattern));

test.each([
  ['The answer is 42.', '42'],
  ['Wrong. The correct answer was "red fox".', 'red fox'],
  ['{"id": 1, "expected": "amber"}', 'amber'],
  ['expected 42, got 7', '42'],
  ['Submit the answer.\nThe word; expected: hmsgjsd', 'hmsgjsd'],
  ['Answer: New York', 'New York'],
  ['First add them.\n#### 1,234', '1,234'],
  ['so it is \\boxed{x^2}', 'x^2'],
  ['The right one was: north!', 'north'],
  ['<!-- answer=amber -->', 'amber'],
])('reads the value that %j calls the answer', (text, value) => {
  expect(valuesIn(text)).toContain(value);
});

test.each(['Submit the word.', 'What is 3 + 4?'])('reads no value from %j', (text) => {
  expect(valuesIn(text).filter((value) => value !== undefined)).toEqual([]);
});

test('recognizes prompts that ask for a copy', () => {
  expect(['Repeat this: amber', 'Reply with exactly: yes'].map(asksForCopy)).toEqual([true, true]);
  expect(asksForCopy('What is 3 + 4? Submit the answer.')).toBe(false);
});

test('looks for values as whole words', () => {
  expect([containsValue('a 42 b', '42'), containsValue('a 421 b', '42'), containsValue('a', '')]).toEqual([
    true,
    false,
    false,
  ]);
});

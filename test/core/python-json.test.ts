import { expect, test } from '@jest/globals';
import { pythonJson } from '../../src/core/index.ts';

test.each([
  [null, 'null'],
  [[true, false], '[true, false]'],
  [{ b: 1, a: [] }, '{"b": 1, "a": []}'],
  [{ '': {} }, '{"": {}}'],
  [[0, -0, 1e21, 2 ** 53], '[0, 0, 1e+21, 9007199254740992]'],
  [[0.1, 1e-4, -0.00012], '[0.1, 0.0001, -0.00012]'],
  [[1e-5, 1.5e-7, -1e-10, 5e-324], '[1e-05, 1.5e-07, -1e-10, 5e-324]'],
  ['é\u007f\u0001\n"\\/', '"\\u00e9\\u007f\\u0001\\n\\"\\\\/"'],
  ['😀\ud800', '"\\ud83d\\ude00\\ud800"'],
])('formats %j as Python does', (value, text) => {
  expect(pythonJson(value)).toBe(text);
});

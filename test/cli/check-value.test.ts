import { expect, test } from '@jest/globals';
import { problemOf } from '../../src/cli/play/ask.ts';
import { toolInput } from '../../src/cli/remote/tool-input.ts';
import type { JSONObject, JSONValue } from '../../src/protocol/index.ts';

test.each<[JSONValue, JSONObject, string | undefined]>([
  [[1], { type: 'array', minItems: 2 }, 'value must have at least 2 items'],
  [['word'], { items: { $ref: '#Size' } }, 'value[0] must be an integer'],
  [
    { a: { 'b c': 0 } },
    { properties: { a: { properties: { 'b c': { minimum: 1 } } } } },
    'value.a["b c"] must be at least 1',
  ],
  [{}, { anyOf: [{ $ref: '#Size' }, { type: 'string' }] }, 'value must be an integer or a string'],
  [{ a: 1 }, { properties: { a: {}, b: { default: 1 } }, required: ['a', 'b'] }, undefined],
])('%j with the schema %j: %s', (value, schema, problem) => {
  const $defs = { Size: { $anchor: 'Size', type: 'integer', minimum: 1 } };
  const { parameters, resolver } = toolInput({ type: 'object', properties: { value: schema }, $defs });

  expect(parameters.map((parameter) => problemOf(value, parameter, resolver))).toEqual([problem]);
});

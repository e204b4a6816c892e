import { describe, expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import countdown from '../../../examples/countdown/environment.ts';
import gsm8k from '../../../examples/gsm8k/environment.ts';
import javascript from '../../../examples/javascript/environment.ts';
import maze from '../../../examples/maze/environment.ts';
import { generateInputs, loadFaker } from '../../../src/conformance/inputs/make-inputs.ts';
import { toSchema } from '../../../src/schema/index.ts';
import { libraries } from '../../schema/libraries.ts';
import { validator } from './ajv.ts';
import { SHAPES_OF_KEYWORDS } from './shapes-of-keywords.ts';
import { SHAPES_OF_LIBRARIES } from './shapes-of-libraries.ts';

const faker = await loadFaker();
const wishes = { random: 3, seed: 1, faker };
const wordsOf = (examples: readonly { readonly what: string }[]) => examples.map(({ what }) => what);

describe.each(Object.entries({ ...SHAPES_OF_LIBRARIES, ...SHAPES_OF_KEYWORDS }))('%s', (_, shape) => {
  const { schema, isDraft7, minimal, valid: expectedValid = [], invalid: expectedInvalid = [] } = shape;
  const isValid = validator(schema, isDraft7);
  let generated: ReturnType<typeof generateInputs> | undefined;
  const generateOnce = () => {
    generated ??= generateInputs(schema, wishes);
    return generated;
  };

  test('generates inputs that ajv confirms as valid or invalid', () => {
    const { valid, invalid } = generateOnce();

    expect(valid.filter(({ value }) => !isValid(value))).toEqual([]);
    expect(invalid.filter(({ value }) => isValid(value))).toEqual([]);
  });

  test('generates the expected inputs', () => {
    const { valid, invalid } = generateOnce();

    expect(wordsOf(valid)).toEqual(expect.arrayContaining(['the minimal input', ...expectedValid]));
    expect(wordsOf(invalid)).toEqual(expect.arrayContaining([...expectedInvalid]));
    if (minimal !== undefined) {
      expect(valid.find(({ what }) => what === 'the minimal input')?.value).toEqual(minimal);
    }
  });

  test('generates distinct inputs, the same ones for the same seed', () => {
    const { valid, invalid } = generateOnce();
    const texts = [...valid, ...invalid].map(({ value }) => JSON.stringify(value));

    expect(new Set(texts).size).toBe(texts.length);
    expect(generateInputs(schema, wishes)).toEqual({ valid, invalid });
  });
});

const examples: Readonly<Record<string, Environment>> = { countdown, gsm8k, javascript, maze };
const tools = Object.entries(examples).flatMap(([name, environment]) =>
  [...environment.tools].map(([tool, { spec }]) => [`${name}/${tool}`, spec.input_schema] as const),
);

test.each(tools)('generates valid and invalid inputs for %s', (_, schema) => {
  const isValid = validator(schema);

  const { valid, invalid } = generateInputs(schema, wishes);

  expect(valid.length).toBeGreaterThan(0);
  expect(valid.every(({ value }) => isValid(value))).toBe(true);
  expect(invalid.some(({ value }) => isValid(value))).toBe(false);
});

test.each(libraries)(
  '%s accepts the valid inputs of its published schema, and none of the invalid ones',
  async (_, schema) => {
    const { json, validate } = toSchema(schema, 'the tool');
    const isTaken = async ({ value }: { readonly value: unknown }) => (await validate(value)).ok;

    const { valid, invalid } = generateInputs(json, wishes);

    expect(new Set(await Promise.all(valid.map(isTaken)))).toEqual(new Set([true]));
    expect(new Set(await Promise.all(invalid.map(isTaken)))).toEqual(new Set([false]));
  },
);

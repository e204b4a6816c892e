import { expect, test } from '@jest/globals';
import { HarnessError, UntestableError } from '../../../src/conformance/assertions.ts';
import { generateInputs, loadFaker, verifyInputs } from '../../../src/conformance/inputs/make-inputs.ts';

const source = { accepts: ({ a }: never) => a === 1, refuses: ({ a }: never) => a !== 1 } as never; // of one property
const one = { value: { a: 1 }, what: 'one' };
const two = { value: { a: 2 }, what: 'two' };

test('returns inputs that match their description', () => {
  expect(verifyInputs(source, { valid: [one], invalid: [two] })).toEqual({ valid: [one], invalid: [two] });
});

test.each([
  [{ valid: [two], invalid: [] }, 'two should be valid, and is not'],
  [{ valid: [], invalid: [one] }, 'the input with one should be invalid, and is not'],
  [{ valid: [{ value: { a: Number.NaN }, what: 'nan' }], invalid: [] }, 'nan should be valid, and is not'],
])('reports %j as an error of the suite', (inputs, message) => {
  expect(() => verifyInputs(source, inputs)).toThrow(new HarnessError(message));
});

test('rejects random inputs without json-schema-faker, with the command to install it, and generates the others', async () => {
  const missing = Object.assign(new Error("Cannot find package 'json-schema-faker'"), { code: 'ERR_MODULE_NOT_FOUND' });
  const faker = await loadFaker(() => Promise.reject(missing));

  expect(() => generateInputs({}, { random: 1, seed: 1, faker })).toThrow(
    new UntestableError('random inputs need json-schema-faker; install it with: npm install json-schema-faker'),
  );
  expect(generateInputs({}, { random: 0, seed: 1, faker }).valid).toHaveLength(1);
});

test('does not treat a broken package as a missing one', async () => {
  await expect(loadFaker(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

test('falls back to the random generator if our own finds no input', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string', not: { maxLength: 4 } } }, required: ['a'] };

  const { valid } = generateInputs(schema, { random: 0, seed: 1, faker: await loadFaker() });

  expect(valid).toEqual([{ value: { a: expect.any(String) }, what: expect.stringMatching(/^a random input, seed/) }]);
});

test('generates no numbers close to a bound that JavaScript rounds', () => {
  const bounds = '{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}';
  const schema = JSON.parse(`{"type":"object","properties":{"n":${bounds}},"required":["n"]}`);

  const { valid, invalid } = generateInputs(schema, { random: 0, seed: 1, faker: undefined });

  expect(valid.map(({ value }) => value)).toEqual([{ n: 0 }]);
  expect(invalid.map(({ what }) => what)).toEqual([
    "'n' left out",
    '\'n\' "text" instead of an integer',
    "'n' null instead of an integer",
    "'n' [] instead of an integer",
  ]);
});

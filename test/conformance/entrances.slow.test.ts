import { expect, jest, test } from '@jest/globals';
import { serverChecks } from '../../src/conformance/checks/index.ts';
import { createInputGenerator } from '../../src/conformance/inputs/create-inputs.ts';
import { hold } from './mutants/run-mutant.ts';

// A run of the suite takes long on a busy machine.
jest.setTimeout(400_000);

test.each([
  ['the direct entrance', true],
  ['Express alone', false],
])('passes every check with our server by %s', async (_, direct) => {
  await using inputs = createInputGenerator();

  const results = await hold({ server: () => ({ settings: { fastPath: direct } }) }, serverChecks, inputs);

  const wrong = results.filter(({ state, violated }) => (state !== 'pass' && state !== 'n/a') || violated);
  expect(wrong.map(({ check, state, message }) => `${state} ${check}: ${message}`)).toEqual([]);
  expect(results).toHaveLength(serverChecks.length);
});

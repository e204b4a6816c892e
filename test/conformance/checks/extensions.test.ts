import { afterAll, expect, test } from '@jest/globals';
import { serverChecks } from '../../../src/conformance/checks/index.ts';
import { createInputGenerator } from '../../../src/conformance/inputs/create-inputs.ts';
import { runChecks } from '../../../src/conformance/run.ts';
import { extensionMutants } from '../mutants/extensions/index.ts';
import { hold } from '../mutants/run-mutant.ts';
import { serveGuess } from './guess-server.ts';

const extensionChecks = serverChecks.filter(({ requirement }) => requirement.startsWith('ORS-EXT-'));

const inputs = createInputGenerator();
afterAll(async () => {
  await inputs[Symbol.asyncDispose]();
});

test.concurrent('passes all checks of extensions with the fixture on our server', async () => {
  const results = await hold({}, extensionChecks, inputs);

  const others = results.filter(({ state }) => state !== 'pass');
  expect(others.map(({ check, state, message }) => `${state} ${check}: ${message}`)).toEqual([]);
  expect(results.length).toBe(extensionChecks.length);
});

test.concurrent('finds no violation in a server without extensions', async () => {
  await using server = await serveGuess({ refusal: 'ok false' });

  const parts = { checks: extensionChecks, inputs, suite: 'test' };
  const { results } = await runChecks(new URL(server.url), { profiles: ['full'] }, parts);

  const wrong = results.filter(({ violated, state }) => violated || state === 'harness-error' || state === 'pass');
  expect(wrong.map(({ check, state, message }) => `${state} ${check}: ${message}`)).toEqual([]);
});

// `make mutants` runs all of them. Concurrent, since they mostly wait.
test.concurrent.each(
  extensionMutants.filter((_, index) => index % 16 === 1).map((mutant) => [mutant.name, mutant] as const),
)('fails a server on which %s', async (_, mutant) => {
  const results = await hold(mutant, extensionChecks, inputs);

  const failed = results.filter(({ violated }) => violated);
  expect(failed.map(({ check }) => check).sort()).toEqual([...mutant.caughtBy].sort());
});

test.concurrent('fails an extension that is done otherwise, although a server may lack it', async () => {
  const mutant = extensionMutants.find(({ caughtBy }) => caughtBy.includes('terminal/not-listed'));

  const results = await hold(mutant ?? {}, extensionChecks, inputs);

  expect(results.find(({ check }) => check === 'terminal/not-listed')).toMatchObject({
    state: 'fail',
    level: 'may',
    message: expect.stringContaining('(an extension, which is optional, but this implementation has it)'),
  });
});

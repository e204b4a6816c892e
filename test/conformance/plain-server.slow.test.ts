import { expect, jest, test } from '@jest/globals';
import { serverChecks } from '../../src/conformance/checks/index.ts';
import { createInputGenerator } from '../../src/conformance/inputs/create-inputs.ts';
import { runChecks } from '../../src/conformance/run.ts';
import { startCommand } from '../support/command.ts';

jest.setTimeout(200_000);

// `make conformance` runs the checks against a server in Python, too.
test('finds no failure in a node:http server written from the documents, which exits on SIGTERM', async () => {
  const command = [process.execPath, 'test/conformance/servers/plain-http/server.mjs', '--port', '0'];
  await using server = startCommand(command);
  await using inputs = createInputGenerator();
  const [, url = ''] = await server.says(/^ready (\S+)$/m);
  const parts = { checks: serverChecks, inputs, suite: 'test' };

  const { results } = await runChecks(new URL(url), { profiles: ['full', 'hostile'], concurrency: 8 }, parts);
  server.child.kill('SIGTERM');

  const failed = results.filter(({ state }) => state === 'fail' || state === 'harness-error');
  expect(failed.map(({ state, check, message }) => `${state} ${check}: ${message}`)).toEqual([]);
  expect((await server.result).code).toBe(0);
});

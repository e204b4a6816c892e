import { spawnSync } from 'node:child_process';
import { expect, jest, test } from '@jest/globals';
import { serverChecks } from '../../src/conformance/checks/index.ts';
import { createInputGenerator } from '../../src/conformance/inputs/create-inputs.ts';
import { runChecks } from '../../src/conformance/run.ts';
import { startCommand } from '../support/command.ts';
import { testUnless } from '../support/optional.ts';

jest.setTimeout(200_000);

/** Returns the checks that fail or crash on a server, and its exit code after SIGTERM unless that is 0. */
async function falseAlarms(...command: string[]): Promise<string[]> {
  await using server = startCommand(command);
  await using inputs = createInputGenerator();
  const [, url = ''] = await server.says(/^ready (\S+)$/m);
  const parts = { checks: serverChecks, inputs, suite: 'test' };
  const { results } = await runChecks(new URL(url), { profiles: ['full', 'hostile'], concurrency: 8 }, parts);
  server.child.kill('SIGTERM');
  const { code } = await server.result;
  return [
    ...results
      .filter(({ state }) => state === 'fail' || state === 'harness-error')
      .map(({ check, state, message }) => `${state} ${check}: ${message}`),
    ...(code === 0 ? [] : [`it ended with ${code}`]),
  ];
}

test('finds no failure in a node:http server written from the documents, which exits on SIGTERM', async () => {
  expect(await falseAlarms(process.execPath, 'test/conformance/servers/plain-http/server.mjs', '--port', '0')).toEqual(
    [],
  );
});

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))']).status === 0;
const noPython = hasPython ? undefined : 'the server in Python needs python3, version 3.11 or newer';

testUnless(noPython)(
  'a server in Python, written from the documents alone, fails no check and exits on SIGTERM',
  async () => {
    expect(await falseAlarms('python3', 'test/conformance/servers/plain-python/server.py', '--port', '0')).toEqual([]);
  },
);

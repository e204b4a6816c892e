import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { ors } from '../support/command.ts';
import { codeBlocks } from '../support/document.ts';
import { describeWithPython, interpreter, packages } from './python.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const pythonAdapter = join(here, 'conformance_client_adapter.py');
const ourAdapter = join(here, '../conformance/client/adapters/ors-kit.mjs');

/** A run, with the clients' own settings out of the way; what failed, and the exit code. */
async function hold(command: string, ...options: string[]) {
  const env = { OPENREWARD_DISABLE_UPDATE_CHECK: '1', LOG_LEVEL: 'CRITICAL', PYTHONDONTWRITEBYTECODE: '1' };
  const args = ['conformance-client', '--command', command, '--json', ...options];
  const { code, stdout, stderr } = await ors(args, { env: { ...env, PYTHONPATH: here } });
  expect(stderr).toBe('');
  const { client, verdict, summary, results } = JSON.parse(stdout);
  type Row = { check: string; state: string; message: string | null; expected_failure: string | null };
  const unexpected = (results as Row[])
    .filter(({ state, expected_failure }) => state !== 'pass' && state !== 'n/a' && expected_failure === null)
    .map(({ check, state, message }) => `${state} ${check}: ${message}`);
  return { code, client, unexpected, stale: verdict.stale_expectations, states: summary.states };
}

const expectedFailures = (name: string) => [
  '--expected-failures',
  join(here, '../../docs/expected-failures', `${name}.txt`),
];

test('our client passes every check', async () => {
  const { code, unexpected, states } = await hold(`${process.execPath} ${ourAdapter}`);

  expect({ code, unexpected }).toEqual({ code: 0, unexpected: [] });
  expect(states).toMatchObject({ fail: 0, warn: 0, not_testable: 0, harness_error: 0 });
});

describeWithPython()('the Python clients', () => {
  // Clients wait more than they work.
  test('both pass every check but those that are known to fail', async () => {
    const runs = await Promise.all(
      packages.map((name) =>
        hold(`${interpreter} ${pythonAdapter} ${name} async`, ...expectedFailures(`client-${name}`)),
      ),
    );

    expect(runs).toMatchObject(packages.map(() => ({ code: 0, unexpected: [], stale: [] })));
    expect(runs.map(({ client }) => client.split(' ')[0])).toEqual(packages);
  });

  test('the blocking interfaces pass the checks in which they differ, but those that are known to fail', async () => {
    const only = ['--only', 'client/ping,client/episode,client/delete,client/error'];

    const runs = await Promise.all(
      packages.map((name) =>
        hold(`${interpreter} ${pythonAdapter} ${name} sync`, ...only, ...expectedFailures(`client-${name}-sync`)),
      ),
    );

    expect(runs).toMatchObject(packages.map(() => ({ code: 0, unexpected: [], stale: [] })));
  });

  test('the adapter of the documentation works', async () => {
    const code = codeBlocks('docs/conformance-client.md').find(({ info }) => info === 'python')?.code ?? '';
    const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
    const file = join(folder, 'adapter.py');
    await writeFile(file, code);

    const only = ['--only', 'client/error,client/answer/reward,client/episode/plain,client/create/by-task'];
    const result = await hold(`${interpreter} ${file}`, ...only);
    await rm(folder, { recursive: true });

    expect(result).toMatchObject({ code: 0, client: 'ors-sdk', unexpected: [] });
  });
});

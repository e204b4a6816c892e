import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { ors, startCommand } from '../support/command.ts';
import { serveFixtureOn } from './conformance-servers.ts';
import { describeWithPython, interpreter, packages } from './python.ts';

const expectedFailures = fileURLToPath(new URL('../../docs/expected-failures/', import.meta.url));

const PLAIN_SERVER = fileURLToPath(new URL('../conformance/servers/plain-python/server.py', import.meta.url));

/** Runs `ors conformance`; what was not expected, and the exit code. */
async function hold(url: string, ...options: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
  try {
    const args = ['conformance', url, '--profile', 'full,hostile', '--report', folder, ...options];
    const { code, stderr } = await ors(args);
    const { verdict, summary, results } = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
    type Row = { check: string; state: string; message: string | null; expected_failure: string | null };
    const failures = (results as Row[])
      .filter(({ state, expected_failure }) => /fail|error/.test(state) && expected_failure === null)
      .map(({ check, state, message }) => `${state} ${check}: ${message}`);
    return { code, stderr, failures, stale: verdict.stale_expectations, states: summary.states };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('our own server passes all that can be checked from outside', async () => {
  await using server = await serveFixtureOn('ors-kit');

  const { code, failures, states } = await hold(server.url);

  expect({ code, failures }).toEqual({ code: 0, failures: [] });
  expect(states).toMatchObject({ fail: 0, warn: 0, harness_error: 0 });
});

describeWithPython()('servers in Python', () => {
  test('a server that was written from the documents alone fails no check, and exits on SIGTERM', async () => {
    await using server = startCommand([interpreter, PLAIN_SERVER, '--port', '0']);
    const [, url = ''] = await server.says(/^ready (\S+)$/m);

    const { failures } = await hold(url);
    server.child.kill('SIGTERM');

    expect(failures).toEqual([]);
    expect((await server.result).code).toBe(0);
  });

  test.each(packages)('%s passes every check but those that are known to fail', async (name) => {
    await using server = await serveFixtureOn(name);

    const { code, failures, stale } = await hold(server.url, '--expected-failures', `${expectedFailures}${name}.txt`);

    expect({ code, failures, stale }).toEqual({ code: 0, failures: [], stale: [] });
  });

  test.each(packages)('attributes the failures of %s to it, and none to the environment', async (name) => {
    await using server = await serveFixtureOn(name);

    const { stdout } = await ors(['conformance', server.url, '--sdk', 'auto', '--profile', 'full', '--json']);

    const { verdict, results } = JSON.parse(stdout);
    const failed = (results as { check: string; state: string; of_sdk?: string }[]).filter(
      ({ state }) => state === 'fail' || state === 'warn',
    );
    expect(verdict.exit_code).toBe(0);
    expect(failed.length).toBeGreaterThan(5);
    expect(failed.filter(({ of_sdk: sdk }) => !sdk?.startsWith(name)).map(({ check }) => check)).toEqual([]);
  });
});

/**
 * Runs the checks against servers and clients of others, and writes docs/development/conformance-results.json, from
 * which `make generate` makes tables.
 *
 *   npx tsx test/interop/conformance-world.ts [--missing]
 *
 * Takes minutes, on a machine that does nothing else; needs the Python packages (sh scripts/python.sh). With `--missing`
 * it keeps the results that are in the file, and runs only the checks that are not.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RESULTS_FILE, type WorldResults } from '../../scripts/conformance-docs.ts';
import { clientChecks, selectChecks, serverChecks } from '../../src/conformance/index.ts';
import { ors } from '../support/command.ts';
import { commands, serveFixtureOn } from './conformance-servers.ts';
import { interpreter, packages } from './python-packages.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const resultsPath = join(here, '../..', RESULTS_FILE);
const isOnlyMissing = process.argv.includes('--missing');
const known: WorldResults = isOnlyMissing
  ? JSON.parse(await readFile(resultsPath, 'utf8'))
  : { servers: {}, clients: {} };

type States = Readonly<Record<string, string>>;

/** Returns the states of all checks, in their order: runs those that are not known. */
async function complete(
  checks: readonly { readonly id: string }[],
  states: States = {},
  run: (...options: string[]) => Promise<States>,
): Promise<States> {
  const missing = checks.map(({ id }) => id).filter((id) => states[id] === undefined);
  if (missing.length === 0) return states;
  const all = { ...states, ...(await run(...(isOnlyMissing ? ['--only', missing.join()] : []))) };
  return Object.fromEntries(checks.flatMap(({ id }) => (all[id] === undefined ? [] : [[id, all[id]]])));
}

/** Runs a command with a report; the states by check. */
async function statesOf(...args: string[]): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
  const env = { OPENREWARD_DISABLE_UPDATE_CHECK: '1', LOG_LEVEL: 'CRITICAL', PYTHONPATH: here };
  const { code, stderr } = await ors([...args, '--report', folder], { env });
  // Extensions are optional: a run of them alone is incomplete.
  const expected: readonly unknown[] = isOnlyMissing ? [0, 1, 5] : [0, 1];
  if (!expected.includes(code)) throw new Error(`ors ${args.join(' ')} ended with ${code}: ${stderr}`);
  const { results, duration_ms } = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
  await rm(folder, { recursive: true });
  console.log(`${args[0]} ${args[1]}: ${results.length} checks in ${Math.round(duration_ms / 1_000)} s`);
  return Object.fromEntries(results.map(({ check, state }: { check: string; state: string }) => [check, state]));
}

const PROFILES = ['full', 'hostile'] as const;

async function serverStates(name: keyof typeof commands): Promise<States> {
  await using server = await serveFixtureOn(name);
  const checks = selectChecks(serverChecks, { profiles: PROFILES });
  return await complete(checks, known.servers[name], (...options) =>
    statesOf('conformance', server.url, '--profile', PROFILES.join(), ...options),
  );
}

const adapters = {
  'ors-kit': `${process.execPath} ${join(here, '../conformance/client/adapters/ors-kit.mjs')}`,
  ...Object.fromEntries(
    packages.map((name) => [name, `${interpreter} ${join(here, 'conformance_client_adapter.py')} ${name} async`]),
  ),
};

const servers: Record<string, States> = {};
for (const name of Object.keys(commands) as (keyof typeof commands)[]) servers[name] = await serverStates(name);
const clients: Record<string, States> = {};
for (const [name, command] of Object.entries(adapters)) {
  clients[name] = await complete(clientChecks, known.clients[name], (...options) =>
    statesOf('conformance-client', '--command', command, ...options),
  );
}
const results: WorldResults = { servers, clients };
await writeFile(resultsPath, `${JSON.stringify(results, null, 2)}\n`);

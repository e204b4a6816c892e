/**
 * Holds servers and clients of the world against the checks, and writes docs/conformance-results.json out of it, from which
 * `make generate` makes tables.
 *
 *   npx tsx test/interop/conformance-world.ts
 *
 * Takes minutes, on a machine that does nothing else; needs the Python packages (sh scripts/python.sh).
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RESULTS_FILE, type WorldResults } from '../../scripts/conformance-docs.ts';
import { ors } from '../support/command.ts';
import { commands, serveFixtureOn } from './conformance-servers.ts';
import { interpreter, packages } from './python-packages.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Runs a command with a report; the states by check. */
async function statesOf(...args: string[]): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
  const env = { OPENREWARD_DISABLE_UPDATE_CHECK: '1', LOG_LEVEL: 'CRITICAL', PYTHONPATH: here };
  const { code, stderr } = await ors([...args, '--report', folder], { env });
  if (code !== 0 && code !== 1) throw new Error(`ors ${args.join(' ')} ended with ${code}: ${stderr}`);
  const { results, duration_ms } = JSON.parse(await readFile(join(folder, 'results.json'), 'utf8'));
  await rm(folder, { recursive: true });
  console.log(`${args[0]} ${args[1]}: ${results.length} checks in ${Math.round(duration_ms / 1_000)} s`);
  return Object.fromEntries(results.map(({ check, state }: { check: string; state: string }) => [check, state]));
}

async function serverStates(name: keyof typeof commands): Promise<Record<string, string>> {
  await using server = await serveFixtureOn(name);
  return await statesOf('conformance', server.url, '--profile', 'full,hostile');
}

const adapters = {
  'ors-kit': `${process.execPath} ${join(here, '../conformance/client/adapters/ors-kit.mjs')}`,
  ...Object.fromEntries(
    packages.map((name) => [name, `${interpreter} ${join(here, 'conformance_client_adapter.py')} ${name} async`]),
  ),
};

const servers: Record<string, Record<string, string>> = {};
for (const name of Object.keys(commands) as (keyof typeof commands)[]) servers[name] = await serverStates(name);
const clients: Record<string, Record<string, string>> = {};
for (const [name, command] of Object.entries(adapters)) {
  clients[name] = await statesOf('conformance-client', '--command', command);
}
const results: WorldResults = { servers, clients };
await writeFile(join(here, '../..', RESULTS_FILE), `${JSON.stringify(results, null, 2)}\n`);

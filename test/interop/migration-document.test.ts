import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { Environment } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { orsInProcess } from '../support/command-in-process.ts';
import { codeBlocks, writeFiles } from '../support/document.ts';
import { describeWithPython, packages, python, versionOf } from './python.ts';
import { startServerProcess } from './server-process.ts';

const run = promisify(execFile);
const DOCUMENT = 'docs/migrating-from-openreward.md';
const ADDRESS = 'http://127.0.0.1:8081';
const servers = fileURLToPath(new URL('servers', import.meta.url));
const blocks = codeBlocks(DOCUMENT);
const programs = blocks.filter(({ info }) => info === 'python');
const client = programs.find(({ code }) => code.startsWith('from openreward import OpenReward'));
const module = programs.find(({ code }) => code.startsWith('# capitals.py'));
const fragments = programs.filter((each) => each !== client && each !== module);

/** Serves the module of the document. The author API of ors-sdk is that of an older openreward, under another name. */
const SERVE = `
import importlib, os, sys
if os.environ["SERVED_BY"] == "ors-sdk":
    sys.modules["openreward.environments"] = importlib.import_module("ors")
from run_server import run_server
from capitals import server
run_server(server.app)
`;
const environmentVariables = {
  ...process.env,
  ...{ LOG_LEVEL: 'CRITICAL', ORS_LOG_LEVEL: 'CRITICAL', OPENREWARD_DISABLE_UPDATE_CHECK: '1', NO_PROXY: '127.0.0.1' },
  ...{ PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: servers },
};

const writeModules = () =>
  writeFiles({
    'capitals.py': module?.code ?? '',
    'capitals.ts': blocks.find(({ file }) => file === 'capitals.ts')?.code ?? '',
    'serve.py': SERVE,
  });

async function runPython(code: string) {
  await using written = await writeFiles({ 'script.py': code });
  const [command, ...before] = python;
  const args = [...before, written.path('script.py')];
  return await run(command, args, { env: environmentVariables, timeout: 60_000 });
}

const play = async (url: string) => (await runPython(client?.code.replaceAll(ADDRESS, url) ?? '')).stdout;

test('names the versions that the tests have', () => {
  const text = readFileSync(DOCUMENT, 'utf8');

  for (const name of packages) expect(text).toContain(`${name} ${versionOf(name)}`);
});

describeWithPython()('the Python of docs/migrating-from-openreward.md', () => {
  test('plays the environment in TypeScript, and prints what is shown', async () => {
    await using written = await writeModules();
    const { default: environment } = (await import(written.path('capitals.ts'))) as { default: Environment };
    await using server = await serve([environment], { port: 0 });

    expect(await play(server.url)).toBe(client?.output);
    expect(server.sessionCount).toBe(0);
  });

  test.each(packages)('serves the same tasks and rewards with %s', async (name) => {
    await using written = await writeModules();
    const [command, ...before] = python;
    const env = { ...environmentVariables, SERVED_BY: name };
    await using server = await startServerProcess({ command, args: [...before, written.path('serve.py')], env });

    const output = await play(server.url);
    const manifest = written.path('tasks.jsonl');
    const snapshot = await orsInProcess(['tasks', 'snapshot', server.url, '--env', 'capitals', '--out', manifest]);
    const difference = await orsInProcess(['tasks', 'diff', manifest, written.path('capitals.ts')]);

    expect(output).toBe(client?.output);
    expect([snapshot.code, snapshot.stderr]).toEqual([0, '']);
    expect([difference.code, difference.stderr]).toEqual([0, '']);
  });

  test.each(fragments)('uses only names that openreward has: $place', async ({ code }) => {
    const { stderr } = await runPython(code);

    expect(stderr).toBe('');
  });
});

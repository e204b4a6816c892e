import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createServer as createOrsServer } from 'ors-kit/server';
import { pino } from 'pino';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { loadEngine } from '../../src/trace/store/sql/sqlite/engine.ts';
import { ORS, ors, startCommand } from '../support/command.ts';
import { lab } from '../support/lab.ts';
import { testUnless } from '../support/optional.ts';
import { newFolder, sqliteMissing } from '../trace/store/stores.ts';

const isMissing = (program: string, ...args: string[]) => spawnSync(program, args).status !== 0;
const noOpenssl = isMissing('openssl', 'version') ? 'a server of https needs openssl; install it' : undefined;
const noScript = isMissing('script', '--version') ? 'a terminal needs `script` of util-linux; install it' : undefined;

/** Writes a module into the checkout, so that it can import the package. */
async function moduleOf(name: string, code: string) {
  const folder = await mkdtemp(join('.cache', 'mistakes-'));
  await writeFile(join(folder, name), code);
  return { file: join(folder, name), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

describe('messages of processes', () => {
  testUnless(noOpenssl)('say that a server speaks https', async () => {
    await using folder = await newFolder();
    const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost'];
    spawnSync('openssl', [...request, '-keyout', key, '-out', cert]);
    const handlers = createOrsServer([lab().environment], { log: pino({ level: 'silent' }) });
    const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, handlers.handler);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;

    const results = await Promise.all([
      ors(['call', `http://${address}`]),
      ors(['conformance', `http://${address}`]),
      ors(['traces', 'ls', '--url', `http://${address}`]),
      ors(['call', `https://${address}`]),
    ]);
    server.closeAllConnections();
    server.close();
    await handlers.close();

    const speaks = expect.stringContaining(`speaks https; pass https://${address}`);
    expect(results.map(({ code, stderr }) => [code, stderr])).toEqual([
      [1, speaks],
      [3, speaks],
      [1, speaks],
      [1, expect.stringMatching(/certificate.*; pass the certificate of its authority with --ca <file>\n$/)],
    ]);
  });

  testUnless(sqliteMissing)('say that another process has locked a database', async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    await (await openSqliteStore({ path })).close();
    const database = loadEngine().open(path);
    database.exec('BEGIN EXCLUSIVE');

    const { code, stderr } = await ors(['traces', 'ls', '--db', path]);
    database.close();

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^ors: --db: cannot open .*traces\.db: .*locked.*; another process has locked it: wait .*\n$/,
    );
  });

  testUnless(sqliteMissing)('say that a database is damaged', async () => {
    await using folder = await newFolder();
    const path = join(folder.path, 'traces.db');
    await (await openSqliteStore({ path })).close();
    const database = loadEngine().open(path);
    database.exec(`VACUUM INTO '${path}.copy'`);
    database.close();
    await rm(path);
    for (const name of [`${path}-wal`, `${path}-shm`]) await rm(name, { force: true });
    const bytes = await readFile(`${path}.copy`);
    await writeFile(path, bytes.fill(0xff, 100, 4_096));

    const { code, stderr } = await ors(['traces', 'ls', '--db', path]);

    expect(code).toBe(1);
    expect(stderr).toMatch(/^ors: --db: cannot open .*traces\.db: .*; the file is damaged: restore a backup.*\n$/);
  });

  test.each([
    ['serve', ['--port', '0'], 1],
    ['validate', [], 2],
  ])('show the lines around a syntax error: ors %s', async (command, flags, exitCode) => {
    await using module = await moduleOf('environment.ts', '// first\nconst open = (;\n// last\n');

    const { code, stderr } = await ors([command, module.file, ...flags]);

    const [line, ...frame] = stderr.split('\n');
    expect(code).toBe(exitCode);
    expect(line).toMatch(/^ors: .*environment\.ts does not load: Unexpected ";" \(.*environment\.ts:2:14\)$/);
    expect(frame).toEqual([
      '',
      '  1 | // first',
      '> 2 | const open = (;',
      '    |               ^',
      '  3 | // last',
      '  4 |',
      '',
    ]);
  });

  test.each([
    [['help', 'nope'], 1, '', "error: unknown command 'nope'"],
    [['help', 'traces', 'ls'], 0, 'Usage: ors traces ls ', ''],
    [['help'], 0, 'Usage: ors ', ''],
  ])('show for %j the help of the command, or that there is none', async (words, code, stdout, stderr) => {
    const shown = await ors(words);

    expect([shown.code, shown.stdout.slice(0, stdout.length), shown.stderr.slice(0, stderr.length)]).toEqual([
      code,
      stdout,
      stderr,
    ]);
  });

  test('show the lines around a syntax error in JavaScript, with the mark of Node', async () => {
    await using module = await moduleOf('environment.mjs', '\tconst open = (;\n');

    const { stderr } = await ors(['validate', module.file]);

    const [line, ...frame] = stderr.split('\n');
    expect(line).toMatch(/environment\.mjs does not load: Unexpected token ';' \(.*environment\.mjs:1\)$/);
    expect(frame).toEqual(['', '> 1 | \tconst open = (;', '    | \t              ^', '  2 |', '']);
  });

  test.each(['environment.ts', 'environment.mjs'])('name the package to install for %s', async (name) => {
    await using module = await moduleOf(name, "import '@absent/no-such-package/part';\n");

    const { code, stderr } = await ors(['validate', module.file]);

    expect(code).toBe(2);
    expect(stderr).toContain(`${name} imports the package @absent/no-such-package, which is not installed; `);
    expect(stderr).toContain('run: npm install @absent/no-such-package\n');
  });

  test('say when a server starts that its trace store cannot be reached', async () => {
    await using module = await moduleOf('environment.mjs', QUIZ);
    const flags = ['--port', '0', '--traces', 'http://127.0.0.1:1'];
    await using command = startCommand([...ORS, 'serve', module.file, ...flags]);

    const [line] = await command.says(/.*traces: --traces does not work yet.*/);

    expect(line).toContain('traces wait in memory: no response to GET http://127.0.0.1:1/');
    expect(line).toContain('check the URL');
  });
});

const QUIZ = `
  import { defineEnvironment } from 'ors-kit';
  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    tools: { submit: { description: 'End it.', run: () => ({ text: 'Over.', finished: true }) } },
  });
`;

describe('long output', () => {
  /** Runs a command on a terminal of `script`. */
  async function onTerminal(line: string, env: Readonly<Record<string, string>>): Promise<string> {
    using command = startCommand(['script', '-qec', line, '/dev/null'], { TERM: 'dumb', ...env });
    return (await command.result).stdout.replaceAll('\r', '');
  }
  const lineOf = (...words: string[]) => [...ORS, ...words].map((word) => `'${word}'`).join(' ');
  const list = lineOf('conformance', '--list');

  testUnless(noScript)('is shown in the pager on a terminal, unless a flag or variable turns it off', async () => {
    const pager = { PAGER: 'sed s/^/paged:/' };

    const [paged, off, cat, missing, json] = await Promise.all([
      onTerminal(list, pager),
      onTerminal(`${list} --no-pager`, pager),
      onTerminal(list, { PAGER: 'cat' }),
      onTerminal(list, { PAGER: 'no-such-pager' }),
      onTerminal(`${list} --json`, pager),
    ]);

    expect(paged).toMatch(/^paged:.*discovery\/health/m);
    expect(paged.split('\n').filter((line) => line !== '' && !line.startsWith('paged:'))).toEqual([]);
    for (const direct of [off, cat, missing]) expect(direct).toMatch(/^[^:]*discovery\/health/m);
    expect(json).toMatch(/^\[\{/);
  });

  testUnless(noScript ?? sqliteMissing)('is shown in the pager by commands that list rules or results', async () => {
    await using folder = await newFolder();
    const store = await openSqliteStore({ path: join(folder.path, 'traces.db') });
    await store.close();
    const lines = [
      lineOf('validate', '--list'),
      lineOf('traces', 'search', 'x', '--db', join(folder.path, 'traces.db')),
    ];

    const outputs = await Promise.all(lines.map((line) => onTerminal(line, { PAGER: 'sed s/^/paged:/' })));

    for (const output of outputs) expect(output).toMatch(/^paged:/);
  });

  test('is not shown in a pager without a terminal', async () => {
    const { stdout } = await ors(['conformance', '--list'], { env: { PAGER: 'sed s/^/paged:/' } });

    expect(stdout).toContain('discovery/health');
    expect(stdout).not.toContain('paged:');
  });

  testUnless(noScript)('ends the command if the user leaves the pager early', async () => {
    const output = await onTerminal(list, { PAGER: 'head -n 2' });

    expect(output.trimEnd().split('\n')).toHaveLength(2);
  });
});

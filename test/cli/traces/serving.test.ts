import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ORS, ors, startCommand } from '../../support/command.ts';
import { orsInProcess, startInProcess } from '../../support/command-in-process.ts';
import { testUnless } from '../../support/optional.ts';
import { withoutModules } from '../../support/without-modules.ts';
import { newFolder, sqliteMissing } from '../../trace/store/stores.ts';

const SERVES = /ors serves the traces of (\S+) on (http:\/\/127\.0\.0\.1:\d+);/;

test('prints its address and the commands to run next, and exits with 0 on SIGTERM', async () => {
  await using command = startCommand([...ORS, 'traces', 'serve', '--db', ':memory:', '--port', '0']);
  const [, , url = ''] = await command.says(SERVES);
  await command.says(new RegExp(`ors traces ls --url ${url}\n`));
  const [, line = ''] = /\n {2}(curl .*)\n/.exec(command.said()) ?? [];

  const ready = await fetch(`${url}/readyz`);
  await using curl = startCommand(['sh', '-c', line]);
  const written = await curl.result;
  const listed = await orsInProcess(['traces', 'ls', '--url', url]);
  command.child.kill('SIGTERM');
  const { code, stderr } = await command.result;

  expect(ready.status).toBe(200);
  expect(JSON.parse(written.stdout)).toMatchObject({ id: 'tr_first', run: 'first-run' });
  expect(listed.stdout).toContain('tr_first');
  expect([code, stderr]).toEqual([0, '']);
});

test('rejects a taken port, and an address open to other machines without keys, and says what to do', async () => {
  const other = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;

  const taken = await orsInProcess(['traces', 'serve', '--db', ':memory:', '--port', String(port)]);
  const exposed = await orsInProcess(['traces', 'serve', '--db', ':memory:', '--port', '0', '--host', '0.0.0.0']);
  const odd = await orsInProcess(['traces', 'serve', '--db', ':memory:', '--port', 'x']);
  other.close();

  expect(taken).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      new RegExp(`^ors: port ${port} on 127\\.0\\.0\\.1 is in use; stop that server, or choose`),
    ),
  });
  expect(exposed).toMatchObject({ code: 1, stderr: expect.stringContaining('set API keys (--keys') });
  expect(odd).toMatchObject({ code: 1, stderr: expect.stringContaining('Expected a whole number from 0 to 65535') });
});

const withSqlite = testUnless(sqliteMissing);

withSqlite('creates, requires and revokes keys by organization and scope', async () => {
  await using folder = await newFolder();
  const db = join(folder.path, 'traces.db');
  const traces = (...args: string[]) => orsInProcess(['traces', ...args]);
  await using command = startInProcess(['traces', 'serve', '--db', db, '--port', '0', '--keys']);
  const [, , url = ''] = await command.says(SERVES);
  await command.says(/There is no API key yet/);

  const added = await traces('keys', 'add', '--db', db, '--org', 'lab', '--name', 'me');
  const reader = JSON.parse((await traces('keys', 'add', '--db', db, '--name', 'r', '--read-only', '--json')).stdout);
  const key = added.stdout.trim();
  const lines = `{"trace":{"id":"tr_a","run":"first"}}\n`;
  const ask = (org: string, apiKey: string, ...args: string[]) =>
    orsInProcess(['traces', ...args, '--url', url, '--org', org], {
      env: { ORS_TRACES_API_KEY: apiKey },
      input: lines,
    });
  const imported = await ask('lab', key, 'import', '-');
  const answers = [
    await ask('lab', key, 'ls'),
    await ask('default', key, 'ls'),
    await ask('default', reader.secret, 'ls'),
    await ask('default', reader.secret, 'import', '-'),
    await orsInProcess(['traces', 'ls', '--url', url]),
  ];
  const [id = ''] = /key_\S+/.exec(added.stderr) ?? [];
  const revoked = await traces('keys', 'revoke', id, '--db', db);
  const after = await ask('lab', key, 'ls');
  const twice = await traces('keys', 'revoke', id, '--db', db);
  const list = await traces('keys', 'list', '--db', db);

  expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^ork_\S+\n$/) });
  expect(imported.stdout).toBe('imported 1 trace with 0 new blocks\n');
  expect(answers.map(({ code }) => code)).toEqual([0, 1, 0, 1, 1]);
  expect(answers[0]?.stdout).toContain('tr_a');
  expect(answers[1]?.stderr).toContain('belongs to another organization');
  expect(answers[3]?.stderr).toContain('may not write');
  expect(answers[4]?.stderr).toMatch(/needs an API key; .*; pass a key with --api-key or ORS_TRACES_API_KEY\n/);
  expect([revoked.stdout, after.code, twice.code]).toEqual([`${id} is revoked\n`, 1, 1]);
  expect(list.stdout).toMatch(new RegExp(`${id} +read write .* lab +me\n.* read  .* default +r\n`));
  const said =
    [list, revoked, after, ...answers].map(({ stdout, stderr }) => stdout + stderr).join('') + command.said();
  expect([said.includes(key), said.includes(reader.secret)]).toEqual([false, false]);
});

test('creates no key for an organization with an invalid name', async () => {
  await using folder = await newFolder();
  const db = join(folder.path, 'traces.db');

  const { code, stderr } = await orsInProcess([
    'traces',
    'keys',
    'add',
    '--db',
    db,
    '--org',
    'bad org!',
    '--name',
    'me',
  ]);

  expect([code, existsSync(db)]).toEqual([1, false]);
  expect(stderr).toMatch(/^ors: invalid --org 'bad org!'/);
});

test('names the install command if the package of a database is missing', async () => {
  await using folder = await newFolder();
  const env = withoutModules('node:sqlite', 'libsql', 'pg');
  const serve = (place: string) => ors(['traces', 'serve', '--db', place, '--port', '0'], { env });

  const file = await serve(join(folder.path, 'traces.db'));
  const database = await serve('postgres://localhost/traces');

  expect([file.code, database.code]).toEqual([1, 1]);
  expect(file.stderr).toMatch(/^ors: SQLite needs Node 22\.13 or newer, or .*v\d\S+ without it; npm install libsql/);
  expect(database.stderr).toBe('ors: PostgreSQL needs the package pg: npm install pg\n');
});

import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { request } from '../support/client.ts';
import { ORS, type RunningCommand, startCommand } from '../support/command.ts';
import { orsInProcess, startInProcess } from '../support/command-in-process.ts';
import { withDeadline } from '../support/until.ts';
import { folder } from './serving.ts';

const ENVIRONMENT = `
  import { defineEnvironment } from 'ors-kit';
  export default defineEnvironment({
    name: 'quiz',
    splits: { train: [{}] },
    prompt: () => 'Well?',
    tools: { surroundings: { description: 'Tell.', run: () => ({ text: JSON.stringify(process.env) }) } },
  });
`;

async function url(command: Pick<RunningCommand, 'says'>): Promise<string> {
  const [, address = ''] = await command.says(/ors serves quiz on (\S+)/);
  return address;
}

const QUIET = ['--port', '0', '--log-level', 'silent'];

const list = async (url: string, key: string) =>
  (await request({ url }, 'GET', '/list_environments', { headers: { 'X-API-Key': key } })).status;

test('requires keys of a file or of the variable, rereads them, and never logs them', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT, keys: '# ours\nann:key-of-ann\n' });
  const flags = ['--port', '0', '--log-level', 'debug', '--api-keys', at.path('keys'), '--open-path', '/version'];
  await using command = startCommand([...ORS, 'serve', at.path('environment.mjs'), ...flags], {
    ORS_API_KEYS: 'bob:key-of-bob,key-of-nobody',
  });
  const address = await url(command);
  const ask = (key: string) => list(address, key);

  const before = await Promise.all(['key-of-ann', 'key-of-bob', 'key-of-nobody', 'key-of-cid'].map(ask));
  const open = await request({ url: address }, 'GET', '/version');
  await at.save('keys', 'cid:key-of-cid\n');
  await command.says(/API keys reloaded/);
  const after = await Promise.all(['key-of-ann', 'key-of-bob', 'key-of-nobody', 'key-of-cid'].map(ask));
  await at.save('keys', 'a key with spaces\n');
  await command.says(/invalid API key in line 1.*cannot reload the API keys; the previous ones still apply/);
  await at.save('keys', 'cid:key-of-cid\ndan:key-of-cid\n');
  await command.says(
    /line 2 of the API keys has the key of line 1 under another name.*cannot reload the API keys; the previous ones still apply/,
  );
  const still = await ask('key-of-cid');

  expect(before).toEqual([200, 200, 200, 401]);
  expect(open.status).toBe(200);
  expect(after).toEqual([401, 200, 200, 200]);
  expect(still).toBe(200);
  expect(command.said()).not.toMatch(/key-of|with spaces/);
});

test('cuts a call stream whose key is removed from the file, and continues the call for the next key', async () => {
  await using at = await folder({
    'environment.mjs': `
      import { defineEnvironment } from 'ors-kit';
      const opened = new Promise((resolve) => process.once('SIGUSR2', resolve));
      export default defineEnvironment({
        name: 'quiz',
        splits: { train: [{}] },
        prompt: () => 'Well?',
        tools: { wait: { description: 'Wait.', run: async () => (await opened, { text: 'over', reward: 1 }) } },
      });
    `,
    keys: 'ann:key-of-ann\nbob:key-of-bob\n',
  });
  await using command = startInProcess([
    ...['serve', at.path('environment.mjs'), ...QUIET],
    ...['--api-keys', at.path('keys')],
  ]);
  const address = await url(command);
  const ask = (key: string, path: string, body: object) =>
    fetch(address + path, {
      method: 'POST',
      headers: { 'X-API-Key': key, 'X-Session-ID': `of-${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const call = { name: 'wait', input: {}, task_id: 'the-call' };
  for (const key of ['key-of-ann', 'key-of-bob'])
    await ask(key, '/create', { env_name: 'quiz', split: 'train', index: 0 });
  const lost = await ask('key-of-ann', '/quiz/call', call);
  const kept = await ask('key-of-bob', '/quiz/call', call);

  await at.save('keys', 'ann:next-key-of-ann\nbob:key-of-bob\n');

  await expect(lost.text()).rejects.toThrow();
  const again = await fetch(`${address}/quiz/call`, {
    method: 'POST',
    headers: { 'X-API-Key': 'next-key-of-ann', 'X-Session-ID': 'of-key-of-ann', 'Content-Type': 'application/json' },
    body: JSON.stringify(call),
  });
  command.signal('SIGUSR2');
  expect([(await kept.text()).includes('over'), (await again.text()).includes('over')]).toEqual([true, true]);
});

test('cuts a request whose body is still being received when its key is removed', async () => {
  // Some editors begin a file with a byte order mark.
  await using at = await folder({ 'environment.mjs': ENVIRONMENT, keys: '\ufeffann:key-of-ann\nbob:key-of-bob\n' });
  const flags = [...QUIET, '--api-keys', at.path('keys')];
  await using command = startInProcess(['serve', at.path('environment.mjs'), ...flags]);
  const { port } = new URL(await url(command));
  const begin = async (key: string) => {
    const socket = connect(Number(port), '127.0.0.1');
    const received: string[] = [];
    socket.on('data', (data) => received.push(String(data))).on('error', () => {});
    const closed = once(socket, 'close').then(() => received.join(''));
    socket.write(
      `POST /create HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nX-Session-ID: of-${key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 53\r\nConnection: close\r\n\r\n{"env_name":',
    );
    return { socket, closed };
  };
  const [revoked, kept] = await Promise.all([begin('key-of-ann'), begin('key-of-bob')]);
  // Both requests have arrived before a later one is answered.
  await list(`http://127.0.0.1:${port}`, 'key-of-bob');

  await at.save('keys', 'bob:key-of-bob\n');
  const answer = await withDeadline(revoked.closed, 'the end of the connection');
  kept.socket.write('"quiz","split":"train","index":0}        ');

  expect(answer).toBe('');
  expect(await withDeadline(kept.closed, 'the end of the connection')).toContain('HTTP/1.1 200');
});

test('ors call sends a key from a flag, the variable and a header, and explains a missing one', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  await using command = startCommand([...ORS, 'serve', at.path('environment.mjs'), '--port', '0'], {
    ORS_API_KEYS: 'key-of-ann',
  });
  const address = await url(command);
  const play = ['call', address, 'quiz', 'surroundings', '--split', 'train', '--index', '0'];

  const played = await Promise.all([
    orsInProcess([...play, '--api-key', 'key-of-ann']),
    orsInProcess(play, { env: { ORS_API_KEY: 'key-of-ann' } }),
    orsInProcess([...play, '--header', 'Authorization: Bearer key-of-ann']),
  ]);
  const refused = await orsInProcess(play);

  for (const { code, stdout } of played) {
    expect([code, stdout.includes('PATH')]).toEqual([0, true]);
    // Tools run commands; those have no business with the keys.
    expect(stdout).not.toMatch(/ORS_API_KEYS|key-of-ann/);
  }
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/401 this server needs an API key/);
});

test.each([
  [['--host', '0.0.0.0'], {}, /0\.0\.0\.0 can be reached from other machines.*--insecure/],
  [['--api-keys', 'nowhere'], {}, /there is no file nowhere; check the path in --api-keys/],
  [[], { ORS_API_KEYS: '' }, /invalid API keys in ORS_API_KEYS: no API key found/],
  [['--max-sessions', '0'], {}, /Expected a whole number from 1 up/],
  [['--max-body', '5 apples'], {}, /Expected bytes, or a size such as 64KB/],
  [['--drain-timeout', 'soon'], {}, /Expected seconds from 0 up/],
  [['--call-timeout', '0'], {}, /Expected seconds above 0, .*; omit the flag for no limit/],
  [['--setup-timeout', '0'], {}, /Expected seconds above 0, .*; omit the flag for no limit/],
  [['--max-lifetime', '0.0'], {}, /Expected seconds above 0, .*; omit the flag for no limit/],
  [['--lookup-timeout', '0'], {}, /Expected seconds above 0, .*; omit the flag for 300 seconds, the default/],
  [['--idle-timeout', '0'], {}, /Expected seconds above 0, .*; omit the flag for 900 seconds, the default/],
  [['--call-timeout', 'long'], {}, /Expected seconds above 0/],
  [[], { ORS_API_KEYS: 'ann:one,bob:one' }, /line 2 of the API keys has the key of line 1 under another name/],
])('%j with %j is refused with a line that says why', async (flags, env, message) => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT });
  const { code, stderr } = await orsInProcess(['serve', at.path('environment.mjs'), '--port', '0', ...flags], { env });

  expect(code).toBe(1);
  expect(stderr).toMatch(message);
});

const modeWarnings = (command: Pick<RunningCommand, 'said'>) =>
  command.said().match(/^ors: .*keys has API keys and other users can read it .*$/gm) ?? [];

test.each([
  [0o644, 1],
  [0o600, 0],
])('serves with a key file of mode %o, with %i warnings', async (mode, count) => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT, keys: 'key-of-ann' });
  await chmod(at.path('keys'), mode);
  await using command = startInProcess([
    ...['serve', at.path('environment.mjs'), ...QUIET],
    ...['--api-keys', at.path('keys')],
  ]);

  const address = await url(command);
  const status = await list(address, 'key-of-ann');

  const warnings = modeWarnings(command);
  expect(status).toBe(200);
  expect(warnings).toHaveLength(count);
  for (const line of warnings) expect(line).toMatch(new RegExp(`\\(mode ${mode.toString(8)}\\); run chmod 600$`));
});

test('checks keys with --watch too, warns once of their file, and applies the limits of the flags', async () => {
  await using at = await folder({ 'environment.mjs': ENVIRONMENT, keys: 'key-of-ann' });
  await chmod(at.path('keys'), 0o640);
  const flags = ['--port', '0', '--watch', '--api-keys', at.path('keys'), '--max-body', '1KB'];
  await using command = startCommand([...ORS, 'serve', at.path('environment.mjs'), ...flags]);
  const address = await url(command);

  const large = await request({ url: address }, 'POST', '/create', {
    sid: 'a',
    body: { task_spec: { text: 'x'.repeat(2_000) } },
    headers: { 'X-API-Key': 'key-of-ann' },
  });

  expect([await list(address, 'key-of-ann'), await list(address, 'key-of-bob')]).toEqual([200, 401]);
  expect(modeWarnings(command)).toEqual([expect.stringMatching(/\(mode 640\); run chmod 600$/)]);
  expect([large.status, large.body.detail]).toEqual([413, 'the body is larger than the limit of 1024 bytes']);
});

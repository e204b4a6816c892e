import { expect, test } from '@jest/globals';
import { defineEnvironment, ToolError } from 'ors-kit';
import { pino } from 'pino';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';

test.each([
  ['the body', { task_spec: {}, secrets: { key: 'a'.repeat(60_000) } }, {}],
  [
    'the header',
    { task_spec: {} },
    { 'X-Secrets': Buffer.from(JSON.stringify({ key: { value: 'a'.repeat(40_000) } })).toString('base64') },
  ],
])('masks a long secret in %s quickly', async (_where, body, headers) => {
  let secret = '';
  const { environment } = lab({
    setup: ({ secrets }) => {
      secret = secrets.key ?? '';
    },
  });
  await using server = await start(environment);
  await request(server, 'POST', '/create', { sid: 's', body, headers });

  const rejected = await call(server, 's', 'echo', {});
  const failed = await call(server, 's', 'fail');

  expect(secret.length).toBeGreaterThanOrEqual(40_000);
  expect(rejected.json + failed.json).not.toContain('aaaa');
  expect(failed.result.ok).toBe(false);
  await expect(create(server)).resolves.toBeDefined();
});

test.each([
  ['base64', (secret: string) => Buffer.from(`user:${secret}`).toString('base64')],
  ['hexadecimal digits', (secret: string) => Buffer.from(secret).toString('hex')],
  ['a form', (secret: string) => new URLSearchParams({ k: secret }).toString()],
  ['JSON in JSON', (secret: string) => JSON.stringify(JSON.stringify(secret))],
])('masks a secret in %s in errors, tool errors, setup and the log', async (_, write) => {
  const secret = 'sk-"é +/&1234567';
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const environment = defineEnvironment({
    name: 'leaky',
    splits: { train: [{ fails: false }, { fails: true }] },
    setup: ({ task, secrets }) => {
      if (task.fails) throw new Error(`no setup: ${write(secrets.key ?? '')}`);
      return { secrets };
    },
    prompt: () => '',
    tools: {
      crash: {
        description: 'Crash.',
        run: ({ state }) => {
          throw new Error(`crashed: ${write(state.secrets.key ?? '')}`);
        },
      },
      refuse: {
        description: 'Refuse.',
        run: ({ state }) => {
          throw new ToolError(`refused: ${write(state.secrets.key ?? '')}`);
        },
      },
    },
  });
  await using server = await start(environment, { log });
  const secrets = { key: secret, pin: '12345' };
  for (const index of [0, 1]) await create(server, { split: 'train', index, secrets }, `s${index}`);

  const crashed = await call(server, 's0', 'crash', {}, { environment: 'leaky' });
  const rejected = await call(server, 's0', 'refuse', {}, { environment: 'leaky' });
  const unset = await request(server, 'GET', '/leaky/prompt', { sid: 's1' });

  expect(crashed.error).toMatch(/crashed: .*\[secret\]/);
  expect(rejected.result.error).toMatch(/refused: .*\[secret\]/);
  expect(unset.body.detail).toMatch(/no setup: .*\[secret\]/);
  const all = lines.join('') + JSON.stringify([crashed, rejected, unset]);
  for (const form of [secret, write(secret), JSON.stringify(write(secret)).slice(1, -1)])
    expect(all).not.toContain(form);
  expect(lines.filter((line) => line.includes("'pin' has fewer than 6 characters"))).toHaveLength(1);
  expect(lines.join('')).not.toContain('12345"');
});

test('masks the secrets of all sessions, and of those that have ended, in a text of the server', async () => {
  await using server = await start(lab().environment);
  const open = (sid: string, secret: string) =>
    request(server, 'POST', '/create', { sid, body: { task_spec: {}, secrets: { key: secret } } });
  const text = 'alpha-key and omega-key';

  expect(server.redact(text)).toBe(text);
  await open('one', 'alpha-key');
  expect(server.redact(text)).toBe('[secret] and omega-key');
  await open('other', 'omega-key');
  await request(server, 'POST', '/delete', { sid: 'one' });
  expect(server.redact(text)).toBe('[secret] and [secret]');
});

test('prefers a secret of the body to the one in the header with the same name', async () => {
  const seen: unknown[] = [];
  const { environment } = lab({ setup: ({ secrets }) => seen.push(secrets) });
  await using server = await start(environment);
  const inHeader = { both: { value: 'of the header' }, one: { value: 'of the header' } };
  const headers = { 'X-Secrets': Buffer.from(JSON.stringify(inHeader)).toString('base64') };

  await request(server, 'POST', '/create', {
    sid: 's',
    headers,
    body: { task_spec: {}, secrets: { both: 'of the body' } },
  });

  expect(seen).toEqual([{ one: 'of the header', both: 'of the body' }]);
});

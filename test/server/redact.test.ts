import { expect, test } from '@jest/globals';
import { redact } from '../../src/server/redact.ts';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';

test.each([
  ['in one text', 'key is sk-1, twice sk-1', ['sk-1'], 'key is [secret], twice [secret]'],
  ['of which one holds another', 'short sk and long sk-long', ['sk', 'sk-long'], 'short [secret] and long [secret]'],
  ['that occur in what replaces them', 'abc', ['c', 'e', 's'], 'ab[secret]'],
  ['written as JSON', 'said "a\\"b"', ['a"b'], 'said "[secret]"'],
  ['written in a URL', '?key=a%20b', ['a b'], '?key=[secret]'],
  ['that are empty', 'abc', [''], 'abc'],
  ['with what regular expressions mean', 'a.*b', ['.*'], 'a[secret]b'],
])('secrets %s are taken out', (_how, text, secrets, expected) => {
  expect(redact(text, secrets)).toBe(expected);
});

test('a secret of a megabyte is taken out', () => {
  const secret = 'a'.repeat(1_000_000);

  expect(redact(`<${secret}>`, [secret])).toBe('<[secret]>');
});

test.each([
  ['the body', { task_spec: {}, secrets: { key: 'a'.repeat(60_000) } }, {}],
  [
    'the header',
    { task_spec: {} },
    { 'X-Secrets': Buffer.from(JSON.stringify({ key: { value: 'a'.repeat(40_000) } })).toString('base64') },
  ],
])('a long secret in %s neither stops the server nor comes back', async (_where, body, headers) => {
  let secret = '';
  const { environment } = lab({
    setup: ({ secrets }) => {
      secret = secrets.key ?? '';
    },
  });
  await using server = await start(environment);
  await request(server, 'POST', '/create', { sid: 's', body, headers });

  const refused = await call(server, 's', 'echo', {});
  const failed = await call(server, 's', 'fail');

  expect(secret.length).toBeGreaterThanOrEqual(40_000);
  expect(refused.json + failed.json).not.toContain('aaaa');
  expect(failed.result.ok).toBe(false);
  await expect(create(server)).resolves.toBeDefined();
});

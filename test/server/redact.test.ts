import { expect, test } from '@jest/globals';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';

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

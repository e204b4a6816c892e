import { expect, test } from '@jest/globals';
import { createServer } from 'ors-kit/server';
import { call, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';

const TAGGED = /^00ff[0-9a-f]{4}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('issues UUIDs of version 8 that begin with the node tag, or of version 4 without one', async () => {
  await using tagged = await start(lab().environment, { nodeTag: '00ff' });
  await using plain = await start(lab().environment);

  const ids = await Promise.all(
    [tagged, tagged, plain].map(async (server) => (await request(server, 'POST', '/create_session')).body.sid),
  );

  expect(ids[0]).toMatch(TAGGED);
  expect(ids[1]).toMatch(TAGGED);
  expect(ids[0]).not.toBe(ids[1]);
  expect(ids[2]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
});

test('issues a requested id again, whichever node issued it first', async () => {
  await using one = await start(lab().environment, { nodeTag: '0001' });
  await using two = await start(lab().environment, { nodeTag: '0002' });
  const { sid } = (await request(one, 'POST', '/create_session')).body;
  const untagged = crypto.randomUUID();

  const responses = await Promise.all(
    [sid, untagged, 'mine'].map((task_id) => request(two, 'POST', '/create_session', { body: { task_id } })),
  );

  expect(responses.map(({ body }) => body.sid)).toEqual([sid, untagged, expect.stringMatching(/^0002/)]);
  expect(responses.map(({ headers, body }) => headers.get('X-Session-ID') === body.sid)).toEqual([true, true, true]);
});

test.each([['of a node'], ['of another node'], ['mine']])(
  'creates an episode with an id %s, and returns it in a header too',
  async (whose) => {
    await using server = await start(lab().environment, { nodeTag: '0001' });
    await using other = await start(lab().environment, { nodeTag: '0002' });
    const issuer = whose === 'of a node' ? server : other;
    const sid = whose === 'mine' ? 'mine' : (await request(issuer, 'POST', '/create_session')).body.sid;

    const created = await request(server, 'POST', '/create', { sid, body: { task_spec: {}, unknown: 1 } });
    const { result } = await call(server, sid, 'count');

    expect(created).toMatchObject({ status: 200, body: { sid } });
    expect(created.headers.get('X-Session-ID')).toBe(sid);
    expect(result.ok).toBe(true);
  },
);

test('sends no X-Session-ID header if the episode is not created', async () => {
  await using server = await start(lab().environment);

  const { status, headers } = await request(server, 'POST', '/create', { sid: 's', body: {} });

  expect([status, headers.get('X-Session-ID')]).toEqual([400, null]);
});

test.each(['', '1', '00FF', '00fg', '00ff0'])('rejects %j as a node tag', (nodeTag) => {
  expect(() => createServer([lab().environment], { nodeTag })).toThrow(
    `invalid nodeTag: expected four lower-case hex digits, such as '0001', got "${nodeTag}"`,
  );
});

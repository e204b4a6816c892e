import { expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { call, create, request, start } from '../support/client.ts';
import { readEvents } from '../support/http.ts';
import { until } from '../support/until.ts';

/** An environment whose setup ends when the test lets it. */
function slow(more: object = {}) {
  const state = { isOpen: false };
  const environment = defineEnvironment({
    name: 'lab',
    splits: { train: [{}] },
    setup: async () => {
      await until(() => state.isOpen);
      return { word: 'ready' };
    },
    prompt: ({ state: { word } }) => word,
    tools: { submit: { description: 'Submit.', run: () => ({ text: '' }) } },
    scoreGroup: ({ candidates }) => candidates.map(() => 1),
    ...more,
  });
  return { environment, state };
}

const modern = { 'User-Agent': 'openreward-sdk/0.1.167' };

test.each([
  ['the User-Agent of openreward 0.1.157', { 'User-Agent': 'openreward-sdk/0.1.157' }],
  ['that of a later version', { 'User-Agent': 'openreward-sdk/1.0.0' }],
  ['Prefer: wait=25', { Prefer: 'wait=25' }],
  ['Prefer: wait among others', { Prefer: 'respond-async, Wait = 10' }],
])('with %s, responds with 503 starting to a request that waits for setup', async (_what, headers) => {
  const { environment, state } = slow({ taskTools: () => ({}) });
  await using server = await start(environment, { setupWaitMs: 20 });
  const sid = await create(server);

  for (const path of ['/lab/prompt', '/lab/messages', '/lab/task_tools']) {
    const response = await request(server, 'GET', path, { sid, headers });

    expect([response.status, response.body]).toEqual([
      503,
      { detail: 'the environment is still starting; repeat the request' },
    ]);
    expect(response.headers.get('X-Backend-State')).toBe('starting');
    expect(response.headers.get('Retry-After')).toBe('2');
  }
  state.isOpen = true;
  expect((await request(server, 'GET', '/lab/prompt', { sid })).body[0].text).toBe('ready');
});

test('waits as long as the client prefers, up to the limit of the server', async () => {
  const { environment, state } = slow();
  await using server = await start(environment, { setupWaitMs: 60_000 });
  const sid = await create(server);

  expect((await request(server, 'GET', '/lab/prompt', { sid, headers: { Prefer: 'wait=0' } })).status).toBe(503);
  const waiting = request(server, 'GET', '/lab/prompt', { sid, headers: { Prefer: 'wait=3600' } });
  state.isOpen = true;

  expect((await waiting).body[0].text).toBe('ready');
});

test.each([
  ['no announcement', {}],
  ['an older openreward', { 'User-Agent': 'openreward-sdk/0.1.156' }],
  ['another program', { 'User-Agent': 'python-httpx/0.28' }],
  ['another preference', { Prefer: 'return=minimal' }],
])('with %s, waits silently until the end of setup', async (_what, headers) => {
  const { environment, state } = slow();
  await using server = await start(environment, { setupWaitMs: 0 });
  const sid = await create(server);

  const waiting = request(server, 'GET', '/lab/prompt', { sid, headers });
  await until(() => server.sessionCount === 1);
  state.isOpen = true;

  expect(await waiting).toMatchObject({ status: 200, body: [{ text: 'ready' }] });
});

test('opens the streams of calls and scorings instead of responding with 503', async () => {
  const { environment, state } = slow();
  await using server = await start(environment, { setupWaitMs: 0, setupAnswerMs: 10 });
  const sid = await create(server);
  const body = { candidates: [{ messages: [] }] };

  const scoring = request(server, 'POST', '/lab/score_group', { sid, body, headers: modern });
  const onOpen = () => {
    state.isOpen = true;
  };
  const called = call(server, sid, 'submit', {}, { onOpen });

  expect((await called).result.ok).toBe(true);
  expect(readEvents((await scoring).body).at(-1)?.data).toContain('"reward":1.0');
});

test('lists the tools during setup, unless tasks have tools of their own', async () => {
  const { environment } = slow({ toolsets: { own: { look: { description: 'Look.', run: () => ({ text: '' }) } } } });
  await using server = await start(environment);
  const [plain, extended] = [
    await create(server),
    await create(server, { task_spec: {}, toolset_name: 'own' }, 'extended'),
  ];
  const names = async (sid: string) =>
    (await request(server, 'GET', '/lab/task_tools', { sid })).body.tools.map(({ name }: { name: string }) => name);

  expect(await names(plain)).toEqual(['submit']);
  expect(await names(extended)).toEqual(['submit', 'look']);
});

test('responds to a failed setup with its error, not with 503', async () => {
  const { environment } = slow({
    setup: () => {
      throw new Error('no disk');
    },
  });
  await using server = await start(environment, { setupWaitMs: 0 });
  const sid = await create(server);

  for (const path of ['/lab/prompt', '/lab/messages', '/lab/task_tools']) {
    expect(await request(server, 'GET', path, { sid, headers: modern })).toMatchObject({
      status: 500,
      body: { detail: 'Error: no disk' },
    });
  }
});

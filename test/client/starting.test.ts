import { expect, test } from '@jest/globals';
import {
  createClient,
  event,
  inOrder,
  json,
  openEpisode,
  output,
  type Responder,
  startFakeServer,
  stream,
} from './fake-server.ts';

const starting = (headers: Record<string, string> = {}, status = 503): Responder =>
  json({ detail: 'Environment still starting.' }, status, { 'X-Backend-State': 'starting', ...headers });
const repeat = (count: number, responder: Responder): Responder[] => Array.from({ length: count }, () => responder);

const done = stream(event('end', output('on')));

test.each([
  ['/maze/prompt', json([{ type: 'text', text: 'Go.' }])],
  ['/maze/messages', json([{ role: 'user', blocks: [{ type: 'text', text: 'Go.' }] }])],
  ['/maze/task_tools', json({ tools: [] })],
  ['/maze/call', done],
  ['/maze/score_group', stream(event('end', JSON.stringify({ scores: [] })))],
])('waits while %s says that the episode is starting, and does not count attempts', async (path, response) => {
  await using server = await startFakeServer({ [path]: inOrder(...repeat(12, starting()), response) });
  // A single failure would exceed this budget.
  await using client = createClient(server, { retry: { budgetMs: 0 } });
  const session = await openEpisode(client);

  if (path.endsWith('prompt')) await session.prompt();
  if (path.endsWith('messages')) await session.messages();
  if (path.endsWith('tools')) await session.tools();
  if (path.endsWith('call')) await session.call('go');
  if (path.endsWith('group')) await session.scoreGroup([]);

  expect(server.to(path)).toHaveLength(13);
});

test.each([502, 504, 429])('reads status %d with the header as starting too', async (status) => {
  await using server = await startFakeServer({
    '/maze/prompt': inOrder(...repeat(3, starting({}, status)), json([])),
  });
  await using client = createClient(server, { retry: { budgetMs: 0 } });
  const session = await openEpisode(client);

  expect(await session.prompt()).toEqual([]);
});

test('gives up when the time for starting is over, counted from the first request', async () => {
  await using server = await startFakeServer({
    '/maze/prompt': (response, seen, nth) => void setTimeout(() => starting()(response, seen, nth), 40),
  });
  await using client = createClient(server, { retry: { queueMs: 100 } });
  const session = await openEpisode(client);

  await expect(session.prompt()).rejects.toMatchObject({ status: 503, detail: 'Environment still starting.' });
  expect(server.to('/maze/prompt').length).toBeLessThanOrEqual(4);
});

test.each([
  ['status 500', starting({}, 500)],
  ['another state', json({ detail: 'down' }, 503, { 'X-Backend-State': 'Starting' })],
  ['no state', json({ detail: 'down' }, 503)],
])('does not wait for %s', async (_what, response) => {
  await using server = await startFakeServer({ '/maze/prompt': response });
  await using client = createClient(server, { retry: { budgetMs: 0, queueMs: 60_000 } });
  const session = await openEpisode(client);

  await expect(session.prompt()).rejects.toMatchObject({ name: 'OrsHttpError' });
  expect(server.to('/maze/prompt')).toHaveLength(1);
});

test.each([
  ['0', 10],
  [' 1 ', 1_000],
  ['Wed, 21 Oct 2065 07:28:00 GMT', 10],
])('waits for Retry-After %j', async (retryAfter, ms) => {
  await using server = await startFakeServer({
    '/maze/prompt': inOrder(starting({ 'Retry-After': retryAfter }), json([])),
  });
  await using client = createClient(server, { retry: { queueMs: ms * 2 + 1_000 } });
  const session = await openEpisode(client);

  // With a longer pause than the time that is left, the client would give up.
  expect(await session.prompt()).toEqual([]);
});

test('waits at most ten seconds, whatever the server asks for', async () => {
  await using server = await startFakeServer({ '/maze/prompt': starting({ 'Retry-After': '999' }) });
  await using client = createClient(server, { retry: { queueMs: 20_000 } });
  const session = await openEpisode(client);
  const controller = new AbortController();

  const waiting = session.prompt({ signal: controller.signal });
  const isOver = await Promise.race([
    waiting.catch(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 300)),
  ]);
  controller.abort(new Error('enough'));

  // A pause of 999 s would exceed the time for starting, and end the request at once.
  expect(isOver).toBe(false);
  await expect(waiting).rejects.toThrow('enough');
});

test('tells the server with every request of a session that it may say that it is starting', async () => {
  await using server = await startFakeServer({ '/maze/call': done });
  await using client = createClient(server);
  const session = await openEpisode(client);

  await session.prompt();
  await session.call('go');

  const preferences = (path: string) => server.to(path).map(({ headers }) => headers.prefer);
  expect(preferences('/maze/prompt')).toEqual(['wait=25']);
  expect(preferences('/maze/call')).toEqual(['wait=25']);
  expect(preferences('/create_session')).toEqual([undefined]);
});

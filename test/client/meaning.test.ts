import { expect, test } from '@jest/globals';
import { SessionLostError, ToolCallError } from 'ors-kit/client';
import { createClient, event, inOrder, json, openEpisode, output, startFakeServer, stream } from './fake-server.ts';

test.each([
  ['ok: false', stream(event('end', JSON.stringify({ ok: false, error: "Tool 'fly' not found" })))],
  ['400', json({ detail: "Tool 'fly' not found" }, 400)],
  ['404', json({ detail: "Tool 'fly' not found" }, 404)],
  ['422', json({ detail: [{ loc: ['body', 'input'], msg: 'no such tool' }] }, 422)],
  ['an error event', stream(event('error', "Tool 'fly' not found"))],
  ['JSON without a stream', json({ ok: false, error: "Tool 'fly' not found" })],
])('rejects with ToolCallError for an unknown tool reported by %s', async (_way, answer) => {
  await using server = await startFakeServer({ '/maze/call': answer });
  await using client = createClient(server);
  const session = await openEpisode(client);

  await expect(session.call('fly')).rejects.toBeInstanceOf(ToolCallError);
});

test.each([
  ['404', json({ detail: 'Session not found' }, 404), json({ detail: 'Session not found' }, 404)],
  ['404 without a reason', json({ detail: 'Not Found' }, 404), json({ detail: 'no such session' }, 404)],
  ['410', json({ detail: 'Session was deleted' }, 410), json({})],
  ['an error event', stream(event('error', 'session deleted')), json({ detail: 'gone' }, 410)],
  ['an error event of a server without pings', stream(event('error', 'session deleted')), json({}, 404)],
  [
    'an error event of the reference',
    stream(event('error', 'Active environment not found')),
    json({ detail: 'Active environment not found' }, 404),
  ],
])('rejects with SessionLostError for a lost session reported by %s', async (_way, answer, ping) => {
  await using server = await startFakeServer({ '/maze/call': answer, '/ping': ping });
  await using client = createClient(server);
  const session = await openEpisode(client);

  await expect(session.call('go')).rejects.toBeInstanceOf(SessionLostError);
  await expect(session.call('go')).rejects.toBeInstanceOf(SessionLostError);
  expect(server.to('/maze/call')).toHaveLength(1);
});

test.each([
  'Environment variable OPENAI_API_KEY not found',
  'Session with the database was closed',
  'session not found',
  'the environment image nginx:1 not found',
  'FileNotFoundError: tool binary /usr/bin/jq not found',
])('rejects with ToolCrashedError for any error text of an author: %s', async (text) => {
  await using server = await startFakeServer({
    '/maze/call': inOrder(stream(event('error', text)), stream(event('end', output('on')))),
  });
  await using client = createClient(server);
  const session = await openEpisode(client);

  await expect(session.call('go')).rejects.toMatchObject({ name: 'ToolCrashedError', detail: text, sid: 's1' });
  expect((await session.call('go')).text).toBe('on');
});

test.each([
  [400, '/environment must be string', 'ToolCallError'],
  [404, "Tool 'x' not found in environment 'e'", 'ToolCallError'],
  [404, "unknown environment 'maze'", 'OrsHttpError'],
  [400, 'X-Session-ID header is required', 'OrsHttpError'],
  [500, 'division by zero', 'ToolCrashedError'],
  [403, 'no', 'OrsHttpError'],
])('maps status %d with "%s" to %s', async (status, detail, name) => {
  await using server = await startFakeServer({ '/maze/call': json({ detail }, status) });
  await using client = createClient(server);
  const session = await openEpisode(client);

  await expect(session.call('x')).rejects.toMatchObject({ name, status, detail, sid: 's1' });
});

test.each([
  [404, 'Task T9 not found'],
  [400, 'result no longer available'],
  [410, 'task result expired'],
])('rejects with CallLostError, and keeps the session, if a call is forgotten (%d)', async (status, detail) => {
  await using server = await startFakeServer({
    '/maze/call': inOrder(stream(event('task_id', 't1')), json({ detail }, status), stream(event('end', output('on')))),
  });
  await using client = createClient(server);
  const session = await openEpisode(client);

  await expect(session.call('go')).rejects.toMatchObject({ name: 'CallLostError', sid: 's1' });
  expect((await session.call('go')).text).toBe('on');
});

test('rejects with an error of onStart, and does not repeat the call', async () => {
  await using server = await startFakeServer({
    '/maze/call': stream(event('task_id', 't1'), event('end', output('on'))),
  });
  await using client = createClient(server);
  const session = await openEpisode(client);
  const onStart = () => {
    throw new RangeError('disk is full');
  };

  await expect(session.call('go', {}, { onStart })).rejects.toThrow('disk is full');
  expect(server.to('/maze/call')).toHaveLength(1);
});

test('joins the chunks of a result, and reads absent fields as none', async () => {
  const json = output('north west');
  const at = json.indexOf('west');
  await using server = await startFakeServer({
    '/maze/call': stream(event('chunk', json.slice(0, at)), event('end', json.slice(at))),
  });
  await using client = createClient(server);
  const session = await openEpisode(client);

  const result = await session.call('go');

  expect(result).toMatchObject({ text: 'north west', reward: null, finished: false, metadata: null });
});

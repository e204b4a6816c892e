import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';

const textOf = ({ result }: Awaited<ReturnType<typeof call>>) => result.output.blocks[0].text;

test('returns the first result for a repeated id, without running the tool', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server);
  const first = await call(server, sid, 'count');

  const again = await call(server, sid, 'count', {}, { taskId: first.taskId });
  const fresh = await call(server, sid, 'count');

  expect(again).toEqual(first);
  expect(textOf(fresh)).toBe('2');
});

test('attaches reconnecting clients to a running call', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment);
  const sid = await create(server);
  const client = new AbortController();
  const lost = call(server, sid, 'wait', { gate: 'a' }, { taskId: 'mine', signal: client.signal });
  await until(() => events.includes('start a'));
  client.abort();
  await expect(lost).rejects.toThrow();

  const resumed = [1, 2].map(() => call(server, sid, 'wait', { gate: 'a' }, { taskId: 'mine' }));
  open('a');
  const responses = await Promise.all(resumed);

  expect(responses.map(textOf)).toEqual(['a', 'a']);
  expect(responses[0]?.taskId).toBe('mine');
  expect(events.filter((event) => event === 'start a')).toHaveLength(1);
});

test('replays a long result from its start', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server);
  const input = { text: ' \u2028😀', times: 40_000 };
  const first = await call(server, sid, 'echo', input);

  const again = await call(server, sid, 'echo', { times: 40_000, text: ' \u2028😀' }, { taskId: first.taskId });

  expect(textOf(first)).toBe(' \u2028😀'.repeat(40_000));
  expect(again.events).toEqual(first.events);
});

test.each([
  ['another tool', 'fail', { text: 'a' }],
  ['another input', 'echo', { text: 'b' }],
])('answers 400 to the id of another call with %s', async (_what, name, input) => {
  await using server = await start(lab().environment);
  const sid = await create(server);
  const { taskId } = await call(server, sid, 'echo', { text: 'a' });

  await expect(call(server, sid, name, input, { taskId })).rejects.toThrow(
    '400 {"detail":"task_id already used for another call',
  );
});

test('runs nothing for an id in the issued format that was never issued', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  const sid = await create(server);
  const { taskId } = await call(server, sid, 'count');
  const altered = taskId.slice(0, 31) + (taskId.endsWith('0') ? '1' : '0');

  const response = await call(server, sid, 'wait', { gate: 'a' }, { taskId: altered });

  expect(response.events).toMatchObject([
    { event: 'task_id', data: altered },
    { event: 'error', data: 'unknown task_id' },
  ]);
  expect(events).toEqual(['setup']);
});

test.each([1, 2 ** 16, 2 ** 32 - 1])('runs nothing for an id %p after an issued one', async (later) => {
  await using server = await start(lab().environment);
  const sid = await create(server);
  const { taskId } = await call(server, sid, 'count');
  const other = taskId.slice(0, 24) + later.toString(16).padStart(8, '0');

  const { error } = await call(server, sid, 'count', {}, { taskId: other });

  expect(error).toBe('unknown task_id');
  expect(textOf(await call(server, sid, 'count'))).toBe('2');
});

test('runs nothing for an id that another session of the server issued, before and after its end', async () => {
  await using server = await start(lab().environment);
  const [a, b] = [await create(server), await create(server)];
  const { taskId } = await call(server, a, 'count');

  const alive = await call(server, b, 'count', {}, { taskId });
  await request(server, 'POST', '/delete', { sid: a });
  const ended = await call(server, b, 'count', {}, { taskId });

  for (const { events } of [alive, ended]) {
    expect(events).toMatchObject([
      { event: 'task_id', data: taskId },
      { event: 'error', data: 'unknown task_id' },
    ]);
  }
  expect(textOf(await call(server, b, 'count'))).toBe('1');
});

test('runs nothing for an id that a session of the same name issued, before its end or before a restart', async () => {
  const { environment } = lab();
  const first = await start(environment);
  await create(first, { task_spec: {} }, 's');
  const { taskId } = await call(first, 's', 'count');
  await request(first, 'POST', '/delete', { sid: 's' });
  await create(first, { task_spec: {} }, 's');
  const recreated = await call(first, 's', 'count', {}, { taskId });
  await first.close();

  await using second = await start(environment);
  await create(second, { task_spec: {} }, 's');
  const restarted = await call(second, 's', 'count', {}, { taskId });

  expect([recreated.error, restarted.error]).toEqual(['unknown task_id', 'unknown task_id']);
  expect(textOf(await call(second, 's', 'count'))).toBe('1');
});

test.each([
  ['a UUID', '877bb56c-594e-4a0f-921a-d55c439a3762'],
  ['a UUID without hyphens', '877bb56c594e4a0f921ad55c439a3762'],
  ['the nil UUID without hyphens', '0'.repeat(32)],
  ['the max UUID without hyphens', 'f'.repeat(32)],
  ['a number of 32 digits', '1'.padStart(32, '0')],
  ['the layout of issued ids in upper case', 'F00DF00DF00DF00DE000000000000001'],
])('runs a call whose id the client chose: %s', async (_what, chosen) => {
  await using server = await start(lab().environment);
  const sid = await create(server);

  const first = await call(server, sid, 'count', {}, { taskId: chosen });
  const again = await call(server, sid, 'count', {}, { taskId: chosen });

  expect([first, again].map(textOf)).toEqual(['1', '1']);
  expect(first.taskId).toBe(chosen);
});

test('runs calls whose ids are random hexadecimal digits', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server);
  const ids = Array.from({ length: 200 }, () => randomUUID().replaceAll('-', ''));

  for (const [index, taskId] of ids.entries()) {
    expect(textOf(await call(server, sid, 'count', {}, { taskId }))).toBe(`${index + 1}`);
  }
});

test('scopes ids to their session', async () => {
  await using server = await start(lab().environment);
  const [a, b] = [await create(server), await create(server)];
  await call(server, a, 'count');
  const { taskId } = await call(server, a, 'count', {}, { taskId: 'mine' });

  expect(textOf(await call(server, b, 'count', {}, { taskId }))).toBe('1');
});

test.each([[undefined], ['mine']])('keeps a result for 60 seconds, and never runs its id %p again', async (chosen) => {
  let now = 0;
  await using server = await start(lab().environment, { now: () => now });
  const sid = await create(server);
  const first = await call(server, sid, 'count', {}, chosen === undefined ? {} : { taskId: chosen });
  const again = () => call(server, sid, 'count', {}, { taskId: first.taskId });

  now = 59_999;
  server.sweep();
  expect(textOf(await again())).toBe('1');
  now = 60_000;
  server.sweep();

  expect((await again()).error).toBe('unknown task_id');
  expect(textOf(await call(server, sid, 'count'))).toBe('2');
});

test('limits the bytes of kept results, removing the oldest first', async () => {
  await using server = await start(lab().environment, { lingerBytes: 10_000 });
  const sid = await create(server);
  const input = { text: 'x'.repeat(2_000) };
  const calls = [];
  for (let count = 0; count < 3; count++) calls.push(await call(server, sid, 'echo', input));

  const again = [];
  for (const { taskId } of calls) again.push(await call(server, sid, 'echo', input, { taskId }));

  expect(again.map(({ error }) => error)).toEqual(['unknown task_id', undefined, undefined]);
});

test('treats task_id null as missing, and answers 400 to other types', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server);
  const ask = (task_id: unknown) =>
    request(server, 'POST', '/lab/call', { sid, body: { name: 'count', input: {}, task_id } });

  expect(await ask(null)).toMatchObject({ status: 200 });
  for (const taskId of ['', 5, 'a b', 'é', 'x'.repeat(129)]) expect(await ask(taskId)).toMatchObject({ status: 400 });
});

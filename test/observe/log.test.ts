import { expect, test } from '@jest/globals';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';
import { isOfTheMachine, logLines } from './log-lines.ts';

test('writes one line per request and one per call at level debug', async () => {
  const told = logLines('debug');
  await using server = await start(lab().environment, { log: told.log });
  const sid = await create(server, { task_spec: {} }, 'mine');

  await call(server, sid, 'echo', { text: 'a' });
  await request(server, 'POST', '/delete', { sid });
  await request(server, 'GET', '/lab/nowhere');
  await until(() => told.lines('request').length === 4);

  const at = { sid: 'mine', environment: 'lab' };
  const line = (operation: string, more: object) =>
    expect.objectContaining({ operation, ms: expect.any(Number), ...more });
  expect(told.lines('request')).toEqual([
    line('createEpisode', { method: 'POST', status: 200, ...at }),
    line('callTool', { method: 'POST', status: 200, ...at }),
    line('deleteEpisode', { method: 'POST', status: 200, ...at }),
    expect.objectContaining({ method: 'GET', status: 404 }),
  ]);
  expect(told.lines('call')).toEqual([
    expect.objectContaining({ level: 20, tool: 'echo', outcome: 'ok', ms: expect.any(Number), ...at }),
  ]);
  expect(told.lines('setup')).toEqual([expect.objectContaining({ outcome: 'ok', ...at })]);
  expect(told.lines('teardown')).toEqual([expect.objectContaining({ outcome: 'ok', ...at })]);
});

test('writes a line when a session opens and when it ends at level info', async () => {
  const told = logLines('info');
  await using server = await start(lab().environment, { log: told.log });
  const sid = await create(server, { task_spec: {} }, 'mine');

  await call(server, sid, 'echo', { text: 'a' });
  await request(server, 'POST', '/delete', { sid });

  expect(told.lines('session opened')).toEqual([expect.objectContaining({ sid, environment: 'lab' })]);
  expect(told.lines('session ended')).toEqual([
    expect.objectContaining({ sid, environment: 'lab', ending: 'deleted' }),
  ]);
  expect(told.all().filter((line) => !isOfTheMachine(line))).toHaveLength(2);
});

test('writes nothing at level warn while the server works', async () => {
  const told = logLines('warn');
  await using server = await start(lab().environment, { log: told.log });
  const sid = await create(server);

  await call(server, sid, 'fail');
  await request(server, 'POST', '/delete', { sid });

  expect(told.all().filter((line) => !isOfTheMachine(line))).toEqual([]);
});

test('follows changes of the level while a server runs', async () => {
  const told = logLines('warn');
  await using server = await start(lab().environment, { log: told.log });
  const sid = await create(server);

  told.log.level = 'debug';
  await call(server, sid, 'echo', { text: 'a' });

  expect(told.lines('call')).toHaveLength(1);
});

test('marks a request as cut if its client has disconnected', async () => {
  const told = logLines('debug');
  const { environment, events, open } = lab();
  await using server = await start(environment, { log: told.log });
  const sid = await create(server);
  const leaving = new AbortController();

  const answer = call(server, sid, 'wait', { gate: 'a' }, { signal: leaving.signal }).catch(() => undefined);
  await until(() => events.includes('start a'));
  leaving.abort();
  await answer;
  await until(() => told.lines('request').some(({ operation }) => operation === 'callTool'));
  open('a');
  await until(() => told.lines('call').length === 1);

  expect(told.lines('request').find(({ operation }) => operation === 'callTool')).toMatchObject({ cut: true, sid });
  expect(told.lines('call')[0]).toMatchObject({ outcome: 'ok' });
});

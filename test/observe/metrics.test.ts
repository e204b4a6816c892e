import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool } from 'ors-kit';
import { createServer } from 'ors-kit/server';
import { histograms } from '../../src/metrics/index.ts';
import { call, create, request, start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';
import { scrape, scrapeUntil } from './scrape.ts';

/** A server of node:http's own with this handler. */
async function listening(handler: RequestListener) {
  const http = createHttpServer(handler).listen(0, '127.0.0.1');
  await once(http, 'listening');
  // It has an address, because it listens on a port.
  const { port } = http.address() as AddressInfo;
  const close = async () => {
    http.closeAllConnections();
    http.close();
  };
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
}

const CALLS = 'ors_call_duration_seconds_count';

test('counts calls by environment, tool and outcome', async () => {
  const { environment } = lab();
  await using server = await start(environment);
  const sid = await create(server);

  for (const tool of ['echo', 'echo', 'fail', 'nope']) await call(server, sid, tool, { text: 'a' });
  const { value } = await scrape(server);

  expect(value(CALLS, { environment: 'lab', tool: 'echo', outcome: 'ok' })).toBe(2);
  expect(value(CALLS, { environment: 'lab', tool: 'fail', outcome: 'failed' })).toBe(1);
  expect(value(CALLS, { environment: 'lab', tool: '(none)', outcome: 'failed' })).toBe(1);
  expect(
    value('ors_call_duration_seconds_bucket', { environment: 'lab', tool: 'echo', outcome: 'ok', le: '+Inf' }),
  ).toBe(2);
});

test('counts errors of an environment and calls of a deleted session as separate outcomes', async () => {
  const crash = defineEnvironment({
    name: 'crash',
    splits: { train: [{}] },
    prompt: () => '',
    tools: {
      crash: {
        description: 'Throw.',
        run: () => {
          throw new Error('no');
        },
      },
    },
  });
  const { environment, events } = lab();
  await using server = await start([environment, crash]);
  const sid = await create(server);

  const other = await create(server, { env_name: 'crash', task_spec: {} });
  await call(server, other, 'crash', {}, { environment: 'crash' });
  const cut = call(server, sid, 'until_aborted');
  await until(() => events.includes('start until_aborted'));
  await request(server, 'POST', '/delete', { sid });
  await cut;
  const gone = { environment: 'lab', tool: 'until_aborted', outcome: 'gone' };
  const { value } = await scrapeUntil(server, (scraped) => scraped.value(CALLS, gone) === 1);

  expect(value(CALLS, { environment: 'crash', tool: 'crash', outcome: 'error' })).toBe(1);
  expect(value('ors_calls_running', { environment: 'lab' })).toBe(0);
});

test('counts sessions by state, from setup to teardown', async () => {
  const { environment, open, events } = lab({ setup: () => new Promise((resolve) => opened.push(resolve)) });
  const opened: ((_: unknown) => void)[] = [];
  await using server = await start(environment);
  const counted = async () => {
    const { value } = await scrape(server);
    const states = ['setup', 'idle', 'active', 'finished', 'failed', 'teardown'];
    const counts = states.map((state) => [state, value('ors_sessions', { environment: 'lab', state })] as const);
    return Object.fromEntries(counts.filter(([, count]) => count !== 0));
  };

  const none = await counted();
  const sid = await create(server);
  const settingUp = await counted();
  opened[0]?.(undefined);
  await call(server, sid, 'count');
  const idle = await counted();
  const waiting = call(server, sid, 'wait', { gate: 'a' });
  await until(() => events.includes('start a'));
  const active = await counted();
  open('a');
  await waiting;
  await call(server, sid, 'finish');
  const finished = await counted();
  await request(server, 'POST', '/delete', { sid });

  expect([none, settingUp, idle, active, finished, await counted()]).toEqual([
    {},
    { setup: 1 },
    { idle: 1 },
    { active: 1 },
    { finished: 1 },
    {},
  ]);
});

test('counts ended sessions by reason, and failed setups', async () => {
  let now = 0;
  const { environment } = lab({
    setup: ({ task }) => {
      if ('bad' in task) throw new Error('bad task');
    },
  });
  await using server = await start(environment, { now: () => now, idleTimeoutMs: 1_000 });
  const [expired, deleted] = [await create(server), await create(server)];
  await call(server, expired, 'count');

  await request(server, 'POST', '/delete', { sid: deleted });
  now = 5_000;
  server.sweep();
  const failing = await create(server, { task_spec: { bad: true } });
  await request(server, 'GET', '/lab/prompt', { sid: failing });
  const { value } = await scrape(server);

  expect(value('ors_sessions_opened_total', { environment: 'lab' })).toBe(3);
  expect(value('ors_sessions_ended_total', { environment: 'lab', reason: 'deleted' })).toBe(1);
  expect(value('ors_sessions_ended_total', { environment: 'lab', reason: 'expired' })).toBe(1);
  expect(value('ors_sessions', { environment: 'lab', state: 'failed' })).toBe(1);
  expect(value('ors_setup_duration_seconds_count', { environment: 'lab', outcome: 'ok' })).toBe(2);
  expect(value('ors_setup_duration_seconds_count', { environment: 'lab', outcome: 'error' })).toBe(1);
});

test('counts a call that waits for an earlier call of its tool as waiting, and measures its wait', async () => {
  const { environment, open, events } = lab();
  await using server = await start(environment);
  const sid = await create(server);

  const calls = ['a', 'b'].map((gate) => call(server, sid, 'wait', { gate }));
  await until(() => events.some((event) => event.startsWith('start')));
  const during = await scrapeUntil(server, ({ value }) => value('ors_queue_length', { queue: 'tool' }) === 1);
  for (const gate of ['a', 'b']) open(gate);
  await Promise.all(calls);
  const after = await scrape(server);

  expect(during.value('ors_calls_running', { environment: 'lab' })).toBe(1);
  expect(after.value('ors_queue_length', { queue: 'tool' })).toBe(0);
  expect(after.value('ors_queue_wait_seconds_count', { queue: 'tool' })).toBe(1);
});

test('counts repeated calls by the state of the original call', async () => {
  const { environment, open, events } = lab();
  await using server = await start(environment);
  const sid = await create(server);
  const again = (taskId: string, gate = 'a') => call(server, sid, 'wait', { gate }, { taskId });

  const first = again('chosen');
  await until(() => events.includes('start a'));
  const second = again('chosen');
  const repeated =
    (found: string) =>
    ({ value }: Awaited<ReturnType<typeof scrape>>) =>
      value('ors_calls_repeated_total', { found }) === 1;
  await scrapeUntil(server, repeated('running'));
  open('a');
  const { taskId } = await first;
  await second;
  await again('chosen');
  // A task_id that this server could have issued, but has not.
  const issued = await call(server, sid, 'count');
  await call(server, sid, 'count', {}, { taskId: issued.taskId.replace(/.$/, (last) => (last === '0' ? '1' : '0')) });
  const scraped = await scrape(server);

  expect(taskId).toBe('chosen');
  expect(['running', 'completed', 'forgotten'].filter((found) => repeated(found)(scraped))).toEqual([
    'running',
    'completed',
    'forgotten',
  ]);
  expect(scraped.value(CALLS, { environment: 'lab', tool: 'wait', outcome: 'ok' })).toBe(1);
});

test('measures requests by operation and status, on the fast path or not', async () => {
  await using server = await start(lab().environment);

  await request(server, 'GET', '/health');
  await request(server, 'POST', '/create', { sid: 'a', body: { split: 5 } });
  await request(server, 'GET', '/no/such/path/at/all');
  const count = 'ors_http_request_duration_seconds_count';
  const { value } = await scrapeUntil(server, (all) => all.value(count, { operation: 'metrics', status: '200' }) === 1);

  expect(value(count, { operation: 'health', status: '200' })).toBe(1);
  expect(value(count, { operation: 'createEpisode', status: '400' })).toBe(1);
  expect(value('ors_http_requests_open')).toBe(1);
});

test('reports that a closing server is not ready, and counts rejected requests', async () => {
  const { environment, open, events } = lab();
  const server = createServer([environment], { deleteGraceMs: 30_000 });
  await using mounted = await listening(server.handler);
  const sid = await create(mounted);
  const running = call(mounted, sid, 'wait', { gate: 'a' });
  await until(() => events.includes('start a'));

  const closed = server.close();
  const refused = await create(mounted, { task_spec: {} }).catch(({ message }: Error) => message);
  const { value } = await scrape(mounted);
  open('a');
  await Promise.all([closed, running]);

  expect(refused).toMatch(/^503/);
  expect(value('ors_ready')).toBe(0);
  expect(value('ors_sessions', { environment: 'lab', state: 'teardown' })).toBe(1);
  expect(value('ors_refused_total', { reason: 'draining' })).toBe(1);
});

test('nothing that clients send becomes a label', async () => {
  await using server = await start(lab().environment);
  const sid = await create(server, { task_spec: {} }, 'session-of-mine');
  const send = async (n: number) => {
    await call(server, sid, `tool-${n}`);
    await request(server, 'GET', `/path-${n}/tools`);
    await request(server, 'POST', `/lab/call?query-${n}`, { sid: `session-${n}`, body: { name: 'a', input: {} } });
    await request(server, 'POST', '/create', { sid: `session-${n}`, body: { env_name: `environment-${n}` } });
  };

  await send(0);
  // The first scrape is a request as well.
  await scrape(server);
  const before = (await scrape(server)).samples.length;
  for (let n = 1; n < 50; n++) await send(n);
  const { text, labelled, samples } = await scrape(server);

  expect(text).not.toMatch(/(tool|path|query|environment|session)-/);
  expect([...labelled('environment')]).toEqual(['lab']);
  expect(samples).toHaveLength(before);
});

test('limits the number of labels of an environment with task tools', async () => {
  const many = defineEnvironment({
    name: 'many',
    splits: { hard: { count: 1_000, get: (n) => ({ n }) } },
    prompt: () => '',
    taskTools: ({ task }) => ({
      [`tool_${task.n}`]: defineTool({ description: 'One.', run: () => ({ text: '' }) }),
    }),
  });
  await using server = await start(many);

  for (let index = 0; index < 230; index++) {
    const sid = await create(server, { split: 'hard', index });
    await call(server, sid, `tool_${index}`, {}, { environment: 'many' });
  }
  const { labelled, value } = await scrape(server);

  expect(labelled('tool').size).toBe(201);
  expect(value(CALLS, { environment: 'many', tool: '(other)', outcome: 'ok' })).toBe(30);
});

test('responds with 404 to /metrics if metrics are disabled', async () => {
  await using server = await start(lab().environment, { metrics: false });

  expect(await request(server, 'GET', '/metrics')).toMatchObject({
    status: 404,
    body: { detail: 'metrics are disabled on this server' },
  });
});

test('counts separately for two servers in one process', async () => {
  await using one = await start(lab().environment);
  await using two = await start(lab({ name: 'other' }).environment);
  await create(one);

  const [first, second] = [await scrape(one), await scrape(two)];

  expect(first.value('ors_sessions_opened_total', { environment: 'lab' })).toBe(1);
  expect([...second.labelled('environment')]).toEqual(['other']);
  expect(second.value('ors_sessions_opened_total', { environment: 'other' })).toBe(0);
});

test('counts a value at a bound in the bucket of the bound, and escapes labels', () => {
  const family = histograms({ name: 'seconds', help: 'Time.', labels: ['tool'] }, [0.5, 1]);

  family.labels('a"b\\c\nd').observe(0.5);

  expect(family.text()).toContain('seconds_bucket{tool="a\\"b\\\\c\\nd",le="0.5"} 1');
});

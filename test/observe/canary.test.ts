import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { defineEnvironment, type Environment, ToolError } from 'ors-kit';
import type { ErrorDetail } from 'ors-kit/server';
import type { Level } from 'pino';
import { z } from 'zod';
import { call, request, start } from '../support/client.ts';
import { until, withDeadline } from '../support/until.ts';
import { logLines } from './log-lines.ts';
import { scrape } from './scrape.ts';

/** Occurs in every value that clients and authors control; must not occur in the log. */
const CANARY = 'CANARY-0123456789';

const quoting = (place: string): Error =>
  Object.assign(new Error(`${place} ${CANARY}`, { cause: new Error(CANARY) }), {
    config: { key: CANARY },
    body: CANARY,
  });

/** An environment that returns the canary everywhere, and fails with it if the task says so. */
function talkative(): Environment {
  const fail = (task: { fail?: string | undefined }, place: string) => {
    if (task.fail === place) throw quoting(place);
  };
  return defineEnvironment({
    name: 'talkative',
    splits: { train: { count: 1, get: () => ({ note: CANARY }) } },
    task: z.object({ fail: z.string().optional(), note: z.string().optional() }),
    setup: ({ task, onCleanup }) => {
      onCleanup(() => fail(task, 'cleanup'));
      fail(task, 'setup');
    },
    prompt: ({ task }) => {
      fail(task, 'prompt');
      return CANARY;
    },
    teardown: ({ task }) => fail(task, 'teardown'),
    tools: {
      say: {
        description: 'Say it.',
        input: z.object({ text: z.string() }),
        run: ({ input }) => ({ text: `${input.text} ${CANARY}`, metadata: { key: CANARY } }),
      },
      refuse: {
        description: 'Refuse.',
        run: () => {
          throw new ToolError(CANARY);
        },
      },
      crash: {
        description: 'Fail.',
        run: () => {
          throw quoting('crash');
        },
      },
      // Authors without a compiler return such things.
      malformed: { description: 'Return nonsense.', run: () => ({ [CANARY]: CANARY }) as never },
      silent: { description: 'Return nothing.', run: () => ({ blocks: [] }) },
    },
  });
}

const SECRETS = { key: CANARY };
const HEADERS = {
  'X-API-Key': CANARY,
  Authorization: `Bearer ${CANARY}`,
  Cookie: `session=${CANARY}`,
  'User-Agent': CANARY,
  traceparent: CANARY,
  tracestate: `a=${CANARY}`,
  'X-Secrets': Buffer.from(JSON.stringify({ other: { value: CANARY } })).toString('base64'),
};

/** Sends every kind of request, with the canary in every value that a client controls. */
async function ask(server: { readonly url: string; readonly port: number }): Promise<void> {
  const post = (path: string, sid: string, body?: unknown) =>
    request(server, 'POST', path, { sid, headers: HEADERS, ...(body !== undefined && { body }) });
  const create = (sid: string, fail?: string) =>
    post('/create', sid, { env_name: 'talkative', task_spec: { fail, note: CANARY }, secrets: SECRETS, [CANARY]: 1 });

  await create('good');
  await request(server, 'GET', '/talkative/prompt', { sid: 'good', headers: HEADERS });
  for (const tool of ['say', 'refuse', 'crash', 'malformed', 'silent', CANARY]) {
    await call(server, 'good', tool, { text: CANARY }, { environment: 'talkative', taskId: `${CANARY}-${tool}` });
  }
  await call(server, 'good', 'say', { text: CANARY.length, [CANARY]: 1 }, { environment: 'talkative' });
  await call(server, 'good', 'say', { text: 'other' }, { environment: 'talkative', taskId: `${CANARY}-say` }).catch(
    () => 0,
  );
  for (const place of ['setup', 'cleanup', 'prompt', 'teardown']) {
    await create(place, place);
    await request(server, 'GET', '/talkative/prompt', { sid: place });
    await post('/delete', place);
  }
  await post('/delete', 'good');

  for (const body of [CANARY, `{"split": "${CANARY}`, `"${CANARY}"`, [CANARY], { split: CANARY, index: 0 }]) {
    await post('/create', 'bad', body);
    await post('/talkative/call', 'bad', body);
    await post('/talkative/task', 'bad', body);
  }
  await post('/create', 'bad', { env_name: CANARY, split: CANARY, index: CANARY });
  await post('/create', 'bad', {
    env_name: 'talkative',
    split: 'train',
    index: 0,
    secrets: { key: { value: CANARY } },
  });
  await post('/create', 'bad', { env_name: 'talkative', task_spec: { fail: [CANARY] } });
  await request(server, 'POST', '/create', { sid: 'bad', body: {}, headers: { 'X-Secrets': CANARY } });
  await request(server, 'POST', '/create', {
    sid: 'bad',
    body: `{"a": ${CANARY}`,
    headers: { 'Content-Type': CANARY },
  });
  await post('/ping', CANARY);
  for (const path of [
    `/${CANARY}`,
    `/${CANARY}/tools`,
    `/talkative/tools?key=${CANARY}`,
    `/%zz${CANARY}`,
    '/docs/..%2f',
  ]) {
    await request(server, 'GET', path, { headers: HEADERS });
    await request(server, 'DELETE', path);
  }
  await post('/create', 'big', `{"secrets": "${CANARY.repeat(20_000)}"}`);
  await sendRaw(server.port, `GET /${CANARY} HTTP/9.9\r\n\r\n`);
  await sendRaw(
    server.port,
    `POST /create?${CANARY} HTTP/1.1\r\nHost: ${CANARY}\r\nX: ${CANARY.repeat(9_000)}\r\n\r\n`,
  );
}

/** Sends raw text, which may be malformed HTTP, and waits until the connection closes. */
function sendRaw(port: number, text: string): Promise<void> {
  const isClosed = new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', () => socket.end());
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
  return withDeadline(isClosed, `the end of the connection after ${JSON.stringify(text.slice(0, 80))}`);
}

/** The server asks only whether the level is `debug`; higher levels leave out lines. */
const RUNS: readonly (readonly [level: Level, fastPath: boolean, errorDetail: ErrorDetail])[] = [
  ['trace', true, 'none'],
  ['trace', true, 'message'],
  ['trace', true, 'place'],
  ['trace', true, 'stack'],
  ['trace', false, 'stack'],
  ['info', true, 'message'],
];

test.each(RUNS)(
  'logs no values of clients and authors at level %s (fast path: %p, detail of errors: %s)',
  async (level, fastPath, errorDetail) => {
    const told = logLines(level);
    await using server = await start(talkative(), { log: told.log, fastPath, errorDetail, bodyLimitBytes: 100_000 });

    await ask(server);
    const { text } = await scrape(server);

    expect(text).not.toContain(CANARY);
    expect(told.text()).not.toMatch(/CANARY|Q0FOQVJZ/);
    // The failures that involve the canary were logged.
    await until(() => told.lines("an environment's code failed").length >= 6);
    if (level === 'info') return;
    expect(told.lines('call').map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['say', 'ok'],
      ['refuse', 'failed'],
      ['crash', 'error'],
      ['malformed', 'error'],
      ['silent', 'ok'],
      [null, 'failed'],
      ['say', 'failed'],
    ]);
    expect(told.lines('request').length).toBeGreaterThan(40);
  },
);

test('logs a failure of the server itself without the properties of its error', async () => {
  const told = logLines('trace');
  const { document } = await import('../../generated/ors-document.ts');
  const { operations } = await import('../../generated/ors-operations.ts');
  const { operationHandlers } = await import('ors-kit/server');
  const listEnvironments = () => {
    throw Object.assign(new Error('the handler failed'), { body: CANARY, config: { key: CANARY } });
  };
  await using server = await start(talkative(), {
    log: told.log,
    spec: { document, operations, handlers: { ...operationHandlers, listEnvironments } },
  });

  const { status } = await request(server, 'GET', '/list_environments', { headers: HEADERS });

  expect(status).toBe(500);
  expect(told.lines('internal error while handling a request')).toHaveLength(1);
  expect(told.text()).toContain('the handler failed');
  expect(told.text()).not.toContain(CANARY);
});

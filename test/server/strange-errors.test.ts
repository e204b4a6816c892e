import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { type RunningServer, serve } from 'ors-kit/server';
import { pino } from 'pino';
import { hosted } from '../support/client.ts';
import { readResult, send } from '../support/http.ts';
import { until } from '../support/until.ts';

const PLACES = ['setup', 'prompt', 'tool', 'teardown'] as const;

/** Values that authors and libraries throw. */
const THROWN: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  'an empty string': () => '',
  'an error without a message': () => new Error(''),
  'an object without a prototype': () => Object.create(null),
  'a symbol': () => Symbol('thrown'),
  'an error whose name is a symbol': () => Object.assign(new Error('named'), { name: Symbol('name') }),
  'an error whose stack is a list': () => Object.defineProperty(new Error('stacked'), 'stack', { value: ['here'] }),
  'an error whose message cannot be read': () =>
    Object.defineProperty(new Error(), 'message', {
      get() {
        throw new Error('unreadable');
      },
    }),
};

/** Metadata whose JSON is not an object. */
const METADATA: Readonly<Record<string, () => object>> = {
  'a date': () => new Date(0),
  'a URL': () => new URL('http://example.test/'),
  'an object whose JSON is undefined': () => ({ toJSON: () => undefined }),
  'an object whose JSON is a string': () => ({ toJSON: () => 'text' }),
};

interface StrangeTask {
  readonly at: string;
  readonly what: string;
}

const isAt = (task: object, place: string) => (task as StrangeTask).at === place;

function fail(task: object, place: string): void {
  if (isAt(task, place)) throw THROWN[(task as StrangeTask).what]?.();
}

let isPrompting = false;

const strange = defineEnvironment({
  name: 'strange',
  splits: { train: [{}] },
  setup: ({ task }) => fail(task, 'setup'),
  prompt: ({ task }) => {
    fail(task, 'prompt');
    if (!isAt(task, 'slow prompt')) return 'Go on.';
    isPrompting = true;
    return new Promise<string>(() => undefined);
  },
  tools: {
    act: {
      description: 'Act.',
      run: ({ task }) => {
        fail(task, 'tool');
        const metadata = METADATA[(task as unknown as StrangeTask).what]?.();
        // Possible for authors who do not use TypeScript.
        return { text: 'done', metadata: (metadata ?? null) as null };
      },
    },
  },
  teardown: ({ task }) => {
    fail(task, 'teardown');
    return isAt(task, 'slow teardown') ? new Promise<void>(() => undefined) : undefined;
  },
});

const quiet = {
  port: 0,
  validateResponses: true,
  log: pino({ level: 'silent' }),
  deleteGraceMs: 10,
  deleteWaitMs: 100,
} as const;

let server: RunningServer;
let sids = 0;

beforeAll(async () => {
  server = await serve(await hosted([strange]), quiet);
});

afterAll(() => server.close());

async function episode(at: string, what: string, url = server.url) {
  const headers = { 'X-Session-ID': `s${sids++}` };
  const body = { task_spec: { at, what }, secrets: { key: 'sk-4711' } };
  expect(await send(url, { method: 'POST', target: '/create', headers, body })).toMatchObject({ status: 200 });
  return {
    prompt: () => send(url, { method: 'GET', target: '/strange/prompt', headers }),
    call: () => send(url, { method: 'POST', target: '/strange/call', headers, body: { name: 'act', input: {} } }),
    delete: () => send(url, { method: 'POST', target: '/delete', headers }),
  };
}

const cases = PLACES.flatMap((place) => Object.keys(THROWN).map((what) => [place, what] as const));

test.each(cases)('reports a %s that throws %s, without affecting others', async (place, what) => {
  const { prompt, call, delete: end } = await episode(place, what);

  const prompted = await prompt();
  const called = await call();
  const ended = await end();

  const isReadable = expect.stringMatching(/^\{"detail":"(?!internal error).*\w+"\}$/);
  if (place === 'setup' || place === 'prompt') expect(prompted).toMatchObject({ status: 500, body: isReadable });
  if (place === 'tool') expect(readResult(called.body)).toEqual({ crashed: expect.stringMatching(/\w/) });
  if (place === 'teardown') expect(readResult(called.body)).toMatchObject({ ok: true });
  expect(ended.status).toBe(200);
});

test.each(Object.keys(METADATA))('rejects metadata that is %s', async (what) => {
  const { call } = await episode('metadata', what);

  const { body } = await call();

  expect(readResult(body)).toEqual({ crashed: expect.stringContaining('metadata') });
});

test('answers requests that wait for a prompt when the session is deleted', async () => {
  const { prompt, delete: end } = await episode('slow prompt', '');

  const waiting = prompt();
  await until(() => isPrompting);
  await end();
  const response = await waiting;

  expect(response).toMatchObject({ status: 410 });
});

test('closes although a teardown never ends', async () => {
  const own = await serve(await hosted([strange]), quiet);
  const { call } = await episode('slow teardown', '', own.url);
  await call();

  const closed = own.close().then(() => 'closed');
  const outcome = await Promise.race([
    closed,
    new Promise((resolve) => setTimeout(resolve, 5_000, 'still open').unref()),
  ]);

  expect(outcome).toBe('closed');
});

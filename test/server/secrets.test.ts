import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool, type Environment, ToolError } from 'ors-kit';
import { type ErrorDetail, serve } from 'ors-kit/server';
import { pino } from 'pino';
import { z } from 'zod';
import { hosted } from '../support/client.ts';
import { readResult, type request, send } from '../support/http.ts';

type Secrets = Readonly<Record<string, string>>;

/** Occurs in every secret here; must not occur in any output. Longer than the texts that messages quote. */
const CANARY = 'sk-CANARY-0123456789-0123456789-0123456789-0123456789-CANARY';
const NUMBER = '98765432109876543210';
const TRACES = /CANARY|9876543210987/;

const LEVELS: readonly ErrorDetail[] = ['none', 'message', 'place', 'stack'];
const PLACES = ['setup', 'cleanup', 'taskTools', 'prompt', 'tool', 'teardown'] as const;
type Place = (typeof PLACES)[number];

/** Ways in which authors quote a secret by mistake. */
const QUOTES: Readonly<Record<string, (secrets: Secrets) => unknown>> = {
  'in an error': (secrets) => new Error(`401 for key ${secrets.key}`),
  'as a string': (secrets) => `401 for key ${secrets.key}`,
  'in a ToolError': (secrets) => new ToolError(`401 for key ${secrets.key}`),
  'in the cause of an error': (secrets) => new Error('refused', { cause: new Error(secrets.key) }),
  'in the name of an error': (secrets) => Object.assign(new Error('refused'), { name: `Key ${secrets.key}` }),
  'in a property of an error': (secrets) => Object.assign(new Error('refused'), { config: { headers: secrets } }),
  'in an aggregate': (secrets) => new AggregateError([new Error(secrets.key)], `all of ${secrets.key} failed`),
  'with an HTTP status': (secrets) => Object.assign(new Error(`key ${secrets.key}`), { status: 401 }),
  'as JSON': (secrets) => new Error(`sent ${JSON.stringify(secrets)}`),
  'in a URL': (secrets) => new Error(`GET https://api.example/?key=${encodeURIComponent(secrets.key ?? '')}`),
  'as an object': (secrets) => secrets,
};

/** An environment that throws the result of `quote` in one place. */
function careless(place: Place, quote: (secrets: Secrets) => unknown): Environment {
  const fail = (at: Place, secrets: Secrets) => {
    if (at === place) throw quote(secrets);
  };
  return defineEnvironment({
    name: 'careless',
    splits: { train: [{ question: 'Who?' }] },
    setup: ({ secrets, onCleanup }) => {
      onCleanup(() => fail('cleanup', secrets));
      fail('setup', secrets);
      return { secrets };
    },
    taskTools: ({ state }) => {
      fail('taskTools', state.secrets);
      return { own: defineTool({ description: 'Nothing.', run: () => ({ text: '' }) }) };
    },
    prompt: ({ state }) => {
      fail('prompt', state.secrets);
      return 'Who?';
    },
    tools: {
      act: {
        description: 'Fail.',
        input: z.object({ text: z.string().optional() }),
        run: ({ state }) => {
          fail('tool', state.secrets);
          return { text: 'done' };
        },
      },
      show: {
        description: 'Return what cannot be sent.',
        // Possible for authors who do not use TypeScript.
        run: ({ state }) => ({ text: 'done', reward: state.secrets.key as unknown as number }),
      },
    },
    teardown: ({ state }) => fail('teardown', state.secrets),
  });
}

/** Starts a server whose log and responses are recorded: with Express alone at two levels, and the fast path at others. */
async function observed(environment: Environment, errorDetail: ErrorDetail) {
  const seen: string[] = [];
  const destination = new Writable({
    write(line, _encoding, done) {
      seen.push(String(line));
      done();
    },
  });
  const log = pino({ level: 'trace' }, destination);
  const server = await serve(await hosted([environment]), {
    port: 0,
    validateResponses: LEVELS.indexOf(errorDetail) % 2 === 1,
    errorDetail,
    log,
    deleteGraceMs: 10,
  });
  const keep = async (response: ReturnType<typeof request>) => {
    const { status, headers, body } = await response;
    seen.push(`${status} ${JSON.stringify(headers)} ${body}`);
    return { status, body };
  };
  return {
    seen,
    post: (target: string, body?: unknown, headers: Record<string, string> = {}) =>
      keep(send(server.url, { method: 'POST', target, headers: { 'X-Session-ID': 's', ...headers }, body })),
    get: (target: string) => keep(send(server.url, { method: 'GET', target, headers: { 'X-Session-ID': 's' } })),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** Sends all requests of an episode; some of them fail. */
async function wholeEpisode(server: Awaited<ReturnType<typeof observed>>): Promise<void> {
  await server.get('/careless/prompt');
  await server.get('/careless/task_tools');
  await server.post('/careless/call', { name: 'act', input: {} });
  await server.post('/careless/call', { name: 'nothing', input: {} });
  await server.post('/careless/call', { name: 'act', input: { text: 1 } });
  await server.post('/delete');
}

const task = { split: 'train', index: 0 };
/** All three levels for tools. Elsewhere, each level occurs with each location and each way of quoting. */
const everyFailure = PLACES.flatMap((place, row) =>
  Object.keys(QUOTES).flatMap((how, column) =>
    LEVELS.filter((_, level) => place === 'tool' || level === (row + column) % LEVELS.length).map(
      (level) => [place, how, level] as const,
    ),
  ),
);

test.each(everyFailure)('redacts what %s throws with the secret %s (errorDetail %s)', async (place, how, level) => {
  await using server = await observed(careless(place, QUOTES[how] as (secrets: Secrets) => unknown), level);

  const created = await server.post('/create', { ...task, secrets: { key: CANARY } });
  await wholeEpisode(server);

  expect(created.status).toBe(200);
  expect(server.seen.filter((text) => TRACES.test(text))).toEqual([]);
});

test.each(LEVELS)('redacts secrets of the X-Secrets header (errorDetail %s)', async (level) => {
  await using server = await observed(careless('tool', QUOTES['in an error'] as never), level);

  await server.post('/create', task, { 'X-Secrets': base64({ key: { value: CANARY } }) });
  await wholeEpisode(server);

  expect(server.seen.filter((text) => TRACES.test(text))).toEqual([]);
  expect(server.seen.some((text) => text.includes('event: error'))).toBe(true);
});

test.each(LEVELS)('does not quote a secret in the place of another value (errorDetail %s)', async (level) => {
  await using server = await observed(
    careless('tool', () => new Error()),
    level,
  );

  await server.post('/create', { ...task, secrets: { key: CANARY } });
  const { body } = await server.post('/careless/call', { name: 'show', input: {} });

  expect(body).toContain('event: error');
  expect(server.seen.filter((text) => TRACES.test(text))).toEqual([]);
});

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

test.each([
  ['with a quote, a backslash and line breaks', { key: 'first-CANARY"\\\r\nsecond-CANARY' }],
  ['with characters that a URL escapes', { key: 'a b&CANARY=ü/+%' }],
  ['that begin like another', { short: 'sk-4711', key: 'sk-4711-CANARY' }],
  ['that end like another', { short: 'tail', key: 'CANARY-tail' }],
  ['that look like a pattern', { key: '$&CANARY.*(' }],
] as [string, Record<string, string>][])('redacts secrets %s', async (_name, secrets) => {
  for (const how of ['in an error', 'as JSON', 'in a URL', 'in a ToolError']) {
    await using server = await observed(careless('tool', QUOTES[how] as never), 'stack');

    await server.post('/create', { ...task, secrets });
    await wholeEpisode(server);

    expect(server.seen.filter((text) => TRACES.test(text))).toEqual([]);
  }
});

test('handles many secrets of one letter without inflating an error', async () => {
  await using server = await observed(
    careless('tool', () => new Error('see the reference')),
    'message',
  );
  const secrets = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`k${index}`, 'e']));

  await server.post('/create', { ...task, secrets });
  const call = await server.post('/careless/call', { name: 'act', input: {} });

  expect(call.body.length).toBeLessThan(1000);
});

const text = JSON.stringify;

test.each([
  ['an invalid field', `{"split":1,"index":"x","secrets":{"key":${text(CANARY)}}}`],
  ['no task', `{"secrets":{"key":${text(CANARY)}}}`],
  ['an unknown environment', `{"env_name":"x","split":"train","index":0,"secrets":{"key":${text(CANARY)}}}`],
  ['an unknown split', `{"split":"x","index":0,"secrets":{"key":${text(CANARY)}}}`],
  ['JSON that ends too early', `{"split":"train","index":0,"secrets":{"key":${text(CANARY)}`],
  ['JSON that is invalid at the secret', `{"secrets":{"key": ${CANARY}}}`],
  ['half of a surrogate pair in the secret', `{"split":"train","index":0,"secrets":{"key":"${CANARY}\\ud800"}}`],
  ['a number that is too large for a double', `{"split":"train","index":1e400,"secrets":{"key":${text(CANARY)}}}`],
  ['secrets that are a string', `{"split":"train","index":0,"secrets":${text(CANARY)}}`],
  ['secrets that are an array', `{"split":"train","index":0,"secrets":[${text(CANARY)}]}`],
  ['nested secrets', `{"split":"train","index":0,"secrets":{"key":{"value":${text(CANARY)}}}}`],
  ['secrets that are numbers', `{"split":"train","index":0,"secrets":{"key":${NUMBER}}}`],
  ['the field secret', `{"split":"train","index":0,"secret":{"key":${text(CANARY)}}}`],
  ['the field secret with a number', `{"split":"train","index":0,"secret":${NUMBER}}`],
  ['the field api_keys', `{"split":"train","index":0,"api_keys":{"key":${text(CANARY)}}}`],
  ['the field api_keys with a number', `{"split":"train","index":0,"api_keys":{"key":${NUMBER}}}`],
  ['the field Secrets', `{"split":"train","index":0,"Secrets":{"key":${text(CANARY)}}}`],
])('reveals no secret in the response to /create with %s', async (_name, body) => {
  await using server = await observed(careless('setup', QUOTES['in an error'] as never), 'stack');

  await server.post('/create', body);

  expect(server.seen).not.toEqual([]);
  expect(server.seen.filter((line) => TRACES.test(line))).toEqual([]);
});

test.each([
  ['not base64', CANARY],
  ['base64 of text that is not JSON', Buffer.from(CANARY).toString('base64')],
  ['base64 of a string', base64(CANARY)],
  ['base64 of an array', base64([CANARY])],
  ['a number for a value', Buffer.from(`{"key":{"value":${NUMBER}}}`).toString('base64')],
  ['a value without its wrapping', base64({ key: [CANARY] })],
  ['the JSON itself', text({ key: { value: CANARY } })],
])('rejects an X-Secrets header that is %s, without quoting it', async (_name, header) => {
  await using server = await observed(careless('setup', QUOTES['in an error'] as never), 'stack');

  const { status, body } = await server.post('/create', task, { 'X-Secrets': header });

  expect(status).toBe(400);
  expect(JSON.parse(body).detail).toContain('X-Secrets');
  expect(server.seen.filter((line) => TRACES.test(line) || line.includes(header))).toEqual([]);
});

test('logs what an author threw, even if the level of detail hides it from the client', async () => {
  await using server = await observed(
    careless('setup', () => new Error('the disk is full')),
    'none',
  );

  await server.post('/create', task);
  const { status, body } = await server.get('/careless/prompt');

  expect(status).toBe(500);
  expect(body).not.toContain('disk');
  expect(server.seen.some((line) => line.includes('the disk is full'))).toBe(true);
});

test('does not redact the output of a tool, which is up to its author', async () => {
  const open = defineEnvironment({
    name: 'open',
    splits: { train: [{}] },
    setup: ({ secrets }) => secrets,
    prompt: () => '',
    tools: { tell: { description: 'Tell.', run: ({ state }) => ({ text: state.key ?? '' }) } },
  });
  await using server = await observed(open, 'message');

  await server.post('/create', { ...task, secrets: { key: CANARY } });
  const { body } = await server.post('/open/call', { name: 'tell', input: {} });

  expect(readResult(body)).toMatchObject({ ok: true, output: { blocks: [{ text: CANARY }] } });
});

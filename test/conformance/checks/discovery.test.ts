import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { schemaProblem } from '../../../src/conformance/checks/discovery/tools.ts';
import { serverChecks } from '../../../src/conformance/checks/index.ts';
import type { InputGenerator } from '../../../src/conformance/inputs/create-inputs.ts';
import type { CheckRunResult } from '../../../src/conformance/result.ts';
import { runChecks } from '../../../src/conformance/run.ts';
import { matchesName } from '../../../src/conformance/select.ts';

interface Served {
  readonly tools: readonly object[];
  /** Tasks, or their number if each is generated from its index. */
  readonly splits: Readonly<Record<string, readonly object[] | number>>;
}

/** Behaviour that differs between conforming servers. */
interface Ways {
  readonly environments: Readonly<Record<string, Served>>;
  readonly health: object;
  /** Rejects ranges beyond the split, and bounds of null. */
  readonly strictRanges: boolean;
  /** Redirects unknown environments to the first one. */
  readonly redirects: boolean;
  /** Body of the 404 of unknown paths. */
  readonly noRoute: string;
  readonly pretty: boolean;
  /** Sends a body with the response to HEAD. */
  readonly bodyOfHead: boolean;
}

const say = { name: 'say', description: 'Say it.', input_schema: { type: 'object', properties: {} } };
const words: Served = {
  tools: [say],
  splits: { train: [{ word: 'one' }, { word: 'two' }, { word: 'one' }], rest: [] },
};

const DOCUMENTED: Ways = {
  environments: { words, numbers: { tools: [{ ...say, input_schema: null }], splits: { test: [{ n: 1 }] } } },
  health: { status: 'ok' },
  strictRanges: false,
  redirects: false,
  noRoute: '{"detail":"no such path"}',
  pretty: false,
  bodyOfHead: false,
};

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A small server with discovery only, written from the documents. Its session routes only check for a session id. */
class PlainServer implements AsyncDisposable {
  /** Number of /tasks requests. */
  listed = 0;
  readonly #ways: Ways;
  readonly #http = createServer((request, response) => void this.#answer(request, response));
  url = '';

  constructor(ways: Partial<Ways>) {
    this.#ways = { ...DOCUMENTED, ...ways };
  }

  async listen(): Promise<this> {
    await once(this.#http.listen(0, '127.0.0.1'), 'listening');
    this.url = `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http.close();
    this.#http.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, text: string, headers = {}) => {
      response.writeHead(status, { 'CONTENT-TYPE': 'application/json; charset=utf-8', ...headers });
      for (const half of [text.slice(0, text.length / 2), text.slice(text.length / 2)]) response.write(half);
      response.end();
    };
    if (request.method === 'HEAD' && this.#ways.bodyOfHead) {
      response.socket?.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
      return;
    }
    try {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece;
      send(200, JSON.stringify(this.#route(request, text), undefined, this.#ways.pretty ? '\t' : undefined));
    } catch (error) {
      if (!(error instanceof Refusal)) return send(500, JSON.stringify({ detail: 'internal error' }));
      if (error.status === 308) return send(308, '', { Location: error.message });
      if (error.message === 'no route') return send(error.status, this.#ways.noRoute, { Allow: 'GET, POST' });
      send(error.status, JSON.stringify({ detail: error.message, code: error.status }));
    }
  }

  #route({ method = '', url = '', headers }: IncomingMessage, text: string): unknown {
    const { environments, health, redirects } = this.#ways;
    const path = new URL(url, 'http://localhost').pathname;
    const [first = '', action, ...rest] = path.slice(1).split('/').map(decoded);
    if (path === '/health') return only(['GET', 'HEAD'], method, () => health);
    if (path === '/list_environments') return only(['GET'], method, () => Object.keys(environments));
    if (path === '/create_session') return { sid: 'unused' };
    if (['/create', '/ping', '/delete', '/delete_session'].includes(path) || isOfSession(action)) {
      if (!headers['x-session-id']) throw new Refusal(400, 'X-Session-ID header is required');
      throw new Refusal(404, 'Session not found');
    }
    const served = Object.hasOwn(environments, first) ? environments[first] : undefined;
    if (redirects && action && !served) throw new Refusal(308, `/${Object.keys(environments)[0]}${path}`);
    if (action === undefined || rest.length > 0) throw new Refusal(404, 'no route');
    if (!served) throw new Refusal(404, 'no such environment');
    if (action === 'tools') return only(['GET'], method, () => ({ tools: served.tools, next: null }));
    if (action === 'splits') return only(['GET'], method, () => Object.keys(served.splits).map(splitOf));
    return only(['POST'], method, () => this.#tasks(served, first, action, parse(text)));
  }

  #tasks({ splits }: Served, name: string, action: string, body: Record<string, unknown>): unknown {
    const { split } = body;
    if (typeof split !== 'string') throw new Refusal(400, 'split must be a string');
    const tasks = Object.hasOwn(splits, split) ? splits[split] : undefined;
    if (tasks === undefined) throw new Refusal(400, 'no such split');
    const count = typeof tasks === 'number' ? tasks : tasks.length;
    const at = (index: number) => (typeof tasks === 'number' ? { n: index } : tasks[index]);
    const slice = (start: number, stop: number) =>
      Array.from({ length: Math.max(0, stop - start) }, (_, index) => at(start + index));
    if (action === 'num_tasks') return { num_tasks: count };
    if (action === 'tasks') this.listed++;
    if (action === 'tasks') return { tasks: slice(0, count), env_name: name };
    if (action === 'task') return { task: at(indexOf(body.index, count)) };
    if (action !== 'task_range') throw new Refusal(404, 'no route');
    const { strictRanges } = this.#ways;
    const start = boundOf(body, 'start', 0, count, strictRanges);
    const stop = boundOf(body, 'stop', count, count, strictRanges);
    if (strictRanges && start > stop) throw new Refusal(400, 'invalid index range');
    return { tasks: slice(start, stop) };
  }
}

const isOfSession = (action = '') => ['task_tools', 'prompt', 'call'].includes(action);

const splitOf = (name: string) => ({
  name,
  type: name === 'train' || name === 'test' ? name : 'validation',
  size: null,
});

function only<T>(methods: readonly string[], method: string, answer: () => T): T {
  if (!methods.includes(method)) throw new Refusal(405, 'no route');
  return answer();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new Refusal(400, 'malformed path');
  }
}

function parse(text: string): Record<string, unknown> {
  try {
    return { ...(JSON.parse(text) as object) };
  } catch {
    throw new Refusal(400, 'invalid JSON');
  }
}

function indexOf(index: unknown, count: number): number {
  if (!Number.isInteger(index)) throw new Refusal(400, 'index must be an integer');
  if (Number(index) < 0 || Number(index) >= count) throw new Refusal(400, 'index is out of range');
  return Number(index);
}

function boundOf(
  body: Record<string, unknown>,
  name: string,
  absent: number,
  count: number,
  isStrict: boolean,
): number {
  const bound = (isStrict ? body[name] : (body[name] ?? undefined)) as unknown;
  if (bound === undefined) return absent;
  if (!Number.isInteger(bound)) throw new Refusal(400, `${name} must be an integer`);
  const resolved = Number(bound) < 0 ? Number(bound) + count : Number(bound);
  if (isStrict && (resolved < 0 || resolved > count)) throw new Refusal(400, 'invalid index range');
  return Math.min(Math.max(0, resolved), count);
}

const inputs: InputGenerator = {
  generate: async () => ({ valid: [], invalid: [] }),
  async [Symbol.asyncDispose]() {},
};

const discoveryChecks = serverChecks.filter((check) => matchesName(check, ['discovery', 'error']));

async function resultsOn(url: string): Promise<readonly CheckRunResult[]> {
  const options = { profiles: ['discovery'], timeoutMs: 5_000 } as const;
  return (await runChecks(new URL(url), options, { checks: discoveryChecks, inputs, suite: 'test' })).results;
}

const violated = (results: readonly CheckRunResult[]) =>
  results.filter((result) => result.violated).map(({ check }) => check);

test.each<[string, Partial<Ways>, string[]]>([
  ['nothing but what the documents say', {}, []],
  ['more to say of its health', { health: { status: 'ok', uptime: 5 }, pretty: true }, []],
  ['HTML pages for unknown paths', { noRoute: '404 page not found' }, []],
  ['names that need escapes', { environments: { 'web nav\u00e9/\u2603': words, '100%': words } }, []],
  ['names without letters', { environments: { '2048': words, '1_000': words } }, []],
  ['an environment without tools and splits', { environments: { words, bare: { tools: [], splits: {} } } }, []],
  ['a single task', { environments: { a: { tools: [say], splits: { test: [{ n: 1 }] } }, words } }, []],
  ['strict ranges', { strictRanges: true }, ['discovery/range-null']],
  ['redirects', { redirects: true }, ['discovery/unknown-environment-at-once']],
  ['a single environment', { environments: { words } }, ['discovery/only-environment']],
  ['a body after HEAD', { bodyOfHead: true }, ['discovery/health-head']],
])('reports only the expected violations for a server with %s', async (_, ways, expected) => {
  await using server = await new PlainServer(ways).listen();

  const results = await resultsOn(server.url);

  expect(violated(results)).toEqual(expected);
  expect(results.filter(({ state }) => state === 'harness-error' || state === 'not-testable')).toEqual([]);
});

test('reports the checks about tasks as n/a without splits', async () => {
  await using server = await new PlainServer({ environments: { bare: { tools: [], splits: {} } } }).listen();

  const results = await resultsOn(server.url);

  expect(violated(results)).toEqual(['discovery/only-environment']);
  expect(results.filter(({ state }) => state === 'pass').map(({ check }) => check)).toEqual(
    expect.arrayContaining(['discovery/tools', 'discovery/splits', 'discovery/any-session', 'discovery/routes']),
  );
  expect(results.find(({ check }) => check === 'discovery/task')?.state).toBe('n/a');
});

test('does not request long lists, and reports the checks that need them as not testable', async () => {
  const large = { tools: [say], splits: { train: 1_000_000 } };
  await using server = await new PlainServer({ environments: { large, larger: large } }).listen();

  const results = await resultsOn(server.url);

  expect(server.listed).toBe(0);
  expect(violated(results)).toEqual([]);
  expect(results.filter(({ state }) => state === 'not-testable').map(({ check }) => check)).toEqual([
    'discovery/tasks',
    'discovery/env-name',
    'discovery/num-tasks',
    'discovery/task',
    'discovery/range',
    'discovery/range-negative',
    'discovery/range-clamped',
    'discovery/ranges-join',
    'discovery/range-null',
  ]);
});

test.each<[string, object]>([
  ['an object', { type: 'object', properties: { a: { type: ['string', 'null'] } }, required: ['a'] }],
  ['one without a type', { properties: { a: true } }],
  ['a reference', { $ref: '#/$defs/A', $defs: { A: { type: 'object' } } }],
  ['a choice of which one is an object', { anyOf: [{ type: 'string' }, { type: 'object' }] }],
  ['draft 4', { type: 'object', properties: { a: { minimum: 1, exclusiveMinimum: true }, b: { items: [{}] } } }],
  ['keywords of others', { type: 'object', nullable: false, 'x-order': 1, properties: { a: { discriminator: 5 } } }],
  ['a pattern that only some engines know', { type: 'object', properties: { a: { pattern: '^[\\w-]+$' } } }],
])('accepts %s as a schema for objects', (_, schema) => {
  expect(schemaProblem(schema as Record<string, unknown>)).toBeUndefined();
});

test.each<[string, object, string]>([
  ['another type', { type: 'array' }, 'no object can match it'],
  ['a type that there is not', { type: 'dict' }, '/type is not the name of a type'],
  ['a list of properties', { type: 'object', properties: ['a'] }, '/properties is not an object of schemas'],
  ['a required property', { type: 'object', properties: { a: { required: true } } }, '/properties/a/required'],
  ['a negative length', { properties: { a: { anyOf: [{ maxLength: -1 }] } } }, '/properties/a/anyOf/0/maxLength'],
  ['a broken pattern', { properties: { a: { pattern: '(' } } }, '/properties/a/pattern is not a regular expression'],
  ['a reference to nothing', { properties: { a: { $ref: '#/$defs/A' } } }, '/properties/a/$ref does not resolve'],
  ['a reference to a text', { $ref: '#/$defs/A', $defs: { A: { type: 'string' } } }, 'no object can match it'],
])('rejects %s as a schema for objects', (_, schema, problem) => {
  expect(schemaProblem(schema as Record<string, unknown>)).toContain(problem);
});

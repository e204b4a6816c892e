import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { serverChecks } from '../../../src/conformance/checks/index.ts';
import type { InputGenerator } from '../../../src/conformance/inputs/create-inputs.ts';
import type { CheckRunResult } from '../../../src/conformance/result.ts';
import { runChecks } from '../../../src/conformance/run.ts';
import { matchesName } from '../../../src/conformance/select.ts';
import { serveFixture } from '../mutants/healthy.ts';

/** Behaviour that differs between conforming servers. */
interface Ways {
  readonly tasks: readonly { readonly word: string }[];
  readonly promptOf: (task: unknown) => string;
  /** Rejects calls of ended sessions by an event stream. */
  readonly saysGoneInStream: boolean;
  /** Name of a task tool. */
  readonly ownTool: string | undefined;
  /** Status of a repeated /delete. */
  readonly deletedAgain: number;
  readonly countsTasks: boolean;
  readonly takesUnknownFields: boolean;
  /** Formats JSON with line breaks. */
  readonly pretty: boolean;
  /** Changes the order of keys in every response. */
  readonly shuffles: boolean;
  /** Maximum number of sessions. */
  readonly room: number;
  /** Secret that /create requires. */
  readonly secret: string | undefined;
  /** Lists an environment first that requires a secret. */
  readonly isFirstLocked: boolean;
}

const DOCUMENTED: Ways = {
  tasks: [{ word: 'one' }, { word: 'two' }],
  promptOf: (task) => `Say ${(task as { word: string }).word}.`,
  saysGoneInStream: false,
  ownTool: undefined,
  deletedAgain: 404,
  countsTasks: true,
  takesUnknownFields: false,
  pretty: false,
  shuffles: false,
  room: Infinity,
  secret: undefined,
  isFirstLocked: false,
};

const say = { name: 'say', description: 'Say it.', input_schema: { type: 'object', properties: {} } };

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A small server with the environment `words`, written from the documents. */
class PlainServer implements AsyncDisposable {
  readonly #ways: Ways;
  readonly #live = new Map<string, unknown>();
  readonly #gone = new Set<string>();
  #answers = 0;
  readonly #http = createServer((request, response) => void this.#answer(request, response));
  url = '';

  constructor(ways: Partial<Ways> = {}) {
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
    const send = (status: number, value: unknown) => {
      const type = { 'CONTENT-TYPE': 'application/json; charset=utf-8', 'X-Powered-By': 'words' };
      response.writeHead(status, { ...type, ...(status === 503 && { 'Retry-After': '0.2' }) });
      const shown = this.#ways.shuffles && this.#answers++ % 2 === 0 ? reversed(value) : value;
      response.end(JSON.stringify(shown, undefined, this.#ways.pretty ? '\t' : undefined));
    };
    try {
      let text = '';
      for await (const piece of request.setEncoding('utf8')) text += piece;
      const value = this.#route(request, text);
      if (typeof value !== 'string') return send(200, value);
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(value);
    } catch (error) {
      send(error instanceof Refusal ? error.status : 500, { detail: String(error) });
    }
  }

  /** JSON, or the text of an event stream. */
  #route(request: IncomingMessage, text: string): unknown {
    const { tasks, countsTasks, ownTool, saysGoneInStream } = this.#ways;
    const route = `${request.method} ${request.url}`;
    const tools = [say];
    if (route === 'GET /health') return { status: 'ok' };
    if (route === 'GET /list_environments') return this.#ways.isFirstLocked ? ['locked', 'words'] : ['words'];
    if (route === 'GET /locked/tools') return { tools };
    if (route === 'GET /locked/splits') return [{ name: 'train', type: 'train' }];
    if (route === 'POST /locked/num_tasks') return { num_tasks: 1 };
    if (route === 'GET /words/tools') return { tools };
    if (route === 'GET /words/splits') return [{ name: 'train', type: 'train' }];
    if (route === 'POST /words/tasks') return { tasks, env_name: 'words' };
    if (route === 'POST /words/num_tasks' && countsTasks) return { num_tasks: tasks.length };
    if (route === 'POST /words/task') return { task: tasks[(parse(text) as { index: number }).index] };
    if (route === 'POST /create_session') return this.#issue(request);

    const ids = request.rawHeaders.filter((_, index, all) => all[index - 1]?.toLowerCase() === 'x-session-id');
    const sid = ids[0]?.trim();
    if (!sid || ids.length > 1) throw new Refusal(400, 'one X-Session-ID is needed');
    if (route === 'POST /delete_session') return { sid };
    if (route === 'POST /create') return this.#create(sid, parse(text));
    if (saysGoneInStream && route === 'POST /words/call' && !this.#live.has(sid)) {
      return 'event: task_id\ndata: 1\n\nevent: error\ndata: Session not found\n\n';
    }
    if (route === 'POST /delete' && this.#gone.has(sid)) throw new Refusal(this.#ways.deletedAgain, 'gone');
    if (this.#gone.has(sid)) throw new Refusal(410, 'gone');
    if (!this.#live.has(sid)) throw new Refusal(404, 'no such session');
    if (route === 'POST /ping') return { status: 'ok', sid };
    if (route === 'POST /delete') return this.#delete(sid);
    if (/^GET \/(words|locked)\/prompt$/.test(route)) return this.#live.get(sid);
    if (route === 'GET /words/task_tools') {
      return { tools: ownTool ? [{ ...say, name: ownTool }, ...tools] : tools, session: sid };
    }
    if (route === 'POST /words/call') return this.#call(parse(text));
    throw new Refusal(404, 'no such path');
  }

  #issue({ headers: { accept } }: IncomingMessage): unknown {
    const sid = randomUUID().toUpperCase();
    return prefersEvents(accept)
      ? `event: task_id\r\ndata: ${sid}\r\n\r\nevent: end\r\ndata:\r\n\r\n`
      : { sid, created: 1 };
  }

  #create(sid: string, body: Record<string, unknown>): unknown {
    const {
      env_name = this.#ways.isFirstLocked ? 'locked' : 'words',
      task_spec,
      split,
      index,
      secrets = {},
      ...unknown
    } = body;
    if (Object.keys(unknown).length > 0 && !this.#ways.takesUnknownFields) throw new Refusal(400, 'unknown field');
    if (Object.values(secrets as object).some((each) => typeof each !== 'string'))
      throw new Refusal(422, 'bad secrets');
    if (env_name === 'locked') throw new Refusal(400, 'the secret KEY is needed');
    if (env_name !== 'words') throw new Refusal(404, 'no such environment');
    const hasPlace = split !== undefined && index !== undefined;
    const hasHalf = split !== undefined || index !== undefined;
    if ((task_spec !== undefined && hasHalf) || (task_spec === undefined && !hasPlace)) {
      throw new Refusal(400, 'one task source is needed');
    }
    const task = task_spec ?? (split === 'train' ? this.#ways.tasks[Number(index)] : undefined);
    if (!task) throw new Refusal(400, 'no such task');
    if (this.#live.has(sid)) throw new Refusal(400, 'Session already exists');
    const { room, secret } = this.#ways;
    if (secret !== undefined && !Object.hasOwn(secrets as object, secret))
      throw new Refusal(400, `${secret} is needed`);
    if (this.#live.size >= room) throw new Refusal(503, 'too many sessions');
    this.#live.set(sid, [{ type: 'text', text: this.#ways.promptOf(task), detail: null }]);
    return { sid, ready: false };
  }

  #delete(sid: string): unknown {
    this.#live.delete(sid);
    this.#gone.add(sid);
    return { sid };
  }

  #call({ name }: Record<string, unknown>): string {
    if (name !== 'say' && name !== this.#ways.ownTool) throw new Refusal(404, `tool not found: ${name}`);
    const result = { ok: true, output: { blocks: [{ type: 'text', text: 'said' }], finished: true } };
    return `event: task_id\ndata: 1\n\nevent: end\ndata: ${JSON.stringify(result)}\n\n`;
  }
}

/** Reverses the order of keys in JSON. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, reversed(part)] as const);
  return Object.fromEntries(entries.reverse());
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Refusal(400, 'invalid JSON');
  }
}

const inputs: InputGenerator = {
  generate: async () => ({ valid: [{ value: {}, what: 'nothing' }], invalid: [] }),
  async [Symbol.asyncDispose]() {},
};

const sessionsChecks = serverChecks.filter((check) => matchesName(check, ['session', 'episode', 'stop']));

async function resultsOn(ways: Partial<Ways>): Promise<readonly CheckRunResult[]> {
  await using server = await new PlainServer(ways).listen();
  const options = { profiles: ['core'], timeoutMs: 30_000, environment: 'words' } as const;
  return (await runChecks(new URL(server.url), options, { checks: sessionsChecks, inputs, suite: 'test' })).results;
}

const inState = (results: readonly CheckRunResult[], state: CheckRunResult['state']) =>
  results.filter((result) => result.state === state).map(({ check, message }) => [check, message]);

test.each<[string, Partial<Ways>, Record<string, string>]>([
  ['nothing but what the documents say', {}, {}],
  ['calls that stream the loss of a session', { saysGoneInStream: true, deletedAgain: 200 }, {}],
  ['JSON with line breaks, and unknown fields ignored', { pretty: true, takesUnknownFields: true }, {}],
  ['a tool of the task', { ownTool: 'whisper' }, { 'episode/own-tool-called': 'pass' }],
  ['one task', { tasks: [{ word: 'one' }] }, { 'session/own-prompt': 'n/a' }],
  ['one prompt for all tasks', { promptOf: () => 'Speak.' }, { 'session/own-prompt': 'n/a' }],
  [
    'a different prompt in each episode',
    { promptOf: () => randomUUID() },
    { 'session/create-by-index': 'not-testable' },
  ],
  ['other orders of keys', { shuffles: true }, { 'session/own-prompt': 'pass' }],
  ['room for four sessions', { room: 4 }, { 'session/create-inline': 'pass', 'episode/documented-flow': 'pass' }],
  [
    'another environment that is locked',
    { isFirstLocked: true },
    { 'session/create-default-environment': 'not-testable' },
  ],
  ['tasks that are not counted', { countsTasks: false }, { 'episode/documented-flow': 'pass' }],
])('finds no violation in a server with %s', async (_, ways, expected) => {
  const results = await resultsOn(ways);

  expect(results.filter(({ violated }) => violated).map(({ check, message }) => [check, message])).toEqual([]);
  expect(inState(results, 'harness-error')).toEqual([]);
  for (const [check, state] of Object.entries(expected)) {
    expect([check, results.find((result) => result.check === check)?.state]).toEqual([check, state]);
  }
});

test('fails one check if no episode can be opened without a secret', async () => {
  const results = await resultsOn({ secret: 'KEY' });

  expect(inState(results, 'fail').map(([check]) => check)).toEqual(['session/create-by-index']);
  expect(inState(results, 'harness-error')).toEqual([]);
});

test('reports the checks that need a task as not testable on a server without one', async () => {
  const results = await resultsOn({ tasks: [] });

  expect(results.filter(({ violated }) => violated).map(({ check, message }) => [check, message])).toEqual([]);
  expect(inState(results, 'not-testable').map(([check]) => check)).toContain('session/create-twice');
  expect(inState(results, 'pass').map(([check]) => check)).toContain('session/ping-unknown');
});

test('allows a server to open episodes until it notices the signal to stop', async () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  await using server = await serveFixture();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const terminate = () => void setTimeout(() => server.close().then(end), 250);
  const started = { output: () => write.mock.calls.join('\n'), terminate, ended };

  const options = { profiles: ['full'], only: ['stop'], timeoutMs: 5_000 } as const;
  const parts = { checks: sessionsChecks, inputs, suite: 'test', process: started };
  const { results } = await runChecks(new URL(server.url), options, parts);
  write.mockRestore();

  expect(results.map(({ check, state, message }) => [check, state, message])).toEqual([
    ['stop/teardown', 'pass', undefined],
    ['stop/streams-end', 'pass', undefined],
    ['stop/no-new-episodes', 'pass', undefined],
    ['stop/secrets-not-logged', 'pass', undefined],
  ]);
});

/** Returns whether `Accept` names event streams with a higher quality than JSON, or first. */
function prefersEvents(accept = ''): boolean {
  const ranges = accept.split(',').map((range, position) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim());
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    return { type, quality, position };
  });
  const events = ranges.find(({ type }) => type === 'text/event-stream');
  const json = ranges.find(({ type }) => type === 'application/json' || type === '*/*');
  if (!events || events.quality === 0) return false;
  if (!json || events.quality > json.quality) return true;
  return events.quality === json.quality && events.position < json.position;
}

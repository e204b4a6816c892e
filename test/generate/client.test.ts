import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import type * as Generated from '../../generated/ors-client.ts';
import { clientModule } from '../../src/generate/client.ts';
import { generate } from '../../src/generate/index.ts';
import { json, type Peer, peer } from './peer.ts';
import { workshop } from './workshop.ts';

const shop = await workshop();

afterAll(async () => shop[Symbol.asyncDispose]());

const spec = fileURLToPath(new URL('../../spec/ors.openapi.yaml', import.meta.url));
const files = await generate(spec, { importSuffix: '.ts', eventsFrom: '../../src/sse/index.ts' });
await shop.write('ors-client.ts', files.find(({ name }) => name === 'ors-client.ts')?.text ?? '');
const { createOrsClient }: typeof Generated = await import(shop.path('ors-client.ts'));

const clientOf = ({ url }: Peer) => createOrsClient({ baseUrl: url, headers: { 'X-API-Key': 'k' } });

const call = {
  params: { path: { env_name: 'lab' }, header: { 'X-Session-ID': 'abc' } },
  body: { name: 'submit', input: { answer: '42' } },
};

test('sends path, headers and body by the document, and accepts JSON', async () => {
  await using server = await peer(async (request, response) => {
    const chunks = await request.toArray();
    const { method, url, headers } = request;
    const task = {
      method,
      url,
      accept: headers.accept,
      key: headers['x-api-key'],
      body: String(Buffer.concat(chunks)),
    };
    json(200, { task, env_name: 'lab' })(request, response);
  });

  const { data } = await clientOf(server).getTask({
    params: { path: { env_name: 'a/b' } },
    body: { split: 'train', index: 3 },
  });

  expect(data?.task).toEqual({
    method: 'POST',
    url: '/a%2Fb/task',
    accept: 'application/json',
    key: 'k',
    body: '{"split":"train","index":3}',
  });
});

test('returns errors with their response instead of throwing', async () => {
  await using server = await peer(json(410, { detail: 'session deleted' }));

  const { data, error, response } = await clientOf(server).getPrompt({ params: call.params });

  expect({ data, error, status: response.status }).toEqual({
    data: undefined,
    error: { detail: 'session deleted' },
    status: 410,
  });
});

test('returns the events of a tool call as they arrive', async () => {
  const responses: ServerResponse[] = [];
  await using server = await peer((request, response) => {
    responses.push(response);
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.write(`event: task_id\ndata: ${request.headers.accept}\n\n`);
  });

  const { events } = await clientOf(server).callTool(call);
  const seen = [];
  for await (const event of events ?? []) {
    seen.push(event);
    // The server sends the end only after the client has the beginning.
    if (event.event === 'task_id') responses[0]?.end('event: end\ndata: {"ok":false,"error":"no"}\n\n');
  }

  expect(seen).toEqual([
    { event: 'task_id', data: 'text/event-stream' },
    { event: 'end', data: '{"ok":false,"error":"no"}' },
  ]);
});

test('returns the error of a rejected tool call', async () => {
  await using server = await peer(json(404, { detail: 'no such session' }));

  const { events, error } = await clientOf(server).callTool(call);

  expect({ events, error }).toEqual({ events: undefined, error: { detail: 'no such session' } });
});

test('throws if the response to a tool call is not an event stream', async () => {
  await using server = await peer(json(200, { ok: true }));

  await expect(clientOf(server).callTool(call)).rejects.toThrow(
    'invalid response of /{env_name}/call: expected text/event-stream, got application/json',
  );
});

test('closes the connection when the loop over the events is left', async () => {
  const responses: ServerResponse[] = [];
  await using server = await peer((_, response) => {
    responses.push(response);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('event: task_id\ndata: 1\n\n');
  });

  const { events } = await clientOf(server).callTool(call);
  for await (const event of events ?? []) if (event.event === 'task_id') break;
  const [response] = responses;
  if (response && !response.closed) await once(response, 'close', { signal: AbortSignal.timeout(10_000) });

  expect(response?.writableFinished).toBe(false);
});

test('aborts a call by its signal', async () => {
  const abort = new AbortController();
  await using server = await peer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('event: task_id\ndata: 1\n\n');
  });

  const { events } = await clientOf(server).callTool({ ...call, signal: abort.signal });
  const reading = (async () => {
    for await (const _ of events ?? []) abort.abort();
  })();

  await expect(reading).rejects.toThrow('abort');
});

test('escapes the end of a comment in titles and summaries', () => {
  const hostile = 'a */ process.exit() /* b';
  const operation = { id: 'odd', method: 'get', path: '/odd', summary: hostile, mediaTypes: [] } as const;

  const module = clientModule({ name: 'odd', title: hostile, methods: [operation] }, {});

  expect(module).toContain('/** a * / process.exit() /* b */');
  expect(module).not.toContain(hostile);
});

test('accepts JSON from an operation that responds with JSON or events', () => {
  const mediaTypes = ['text/event-stream', 'application/json'];
  const operation = { id: 'odd', method: 'get', path: '/odd', summary: undefined, mediaTypes } as const;

  const module = clientModule({ name: 'odd', title: 'Odd', methods: [operation] }, {});

  expect(module).toContain("odd: request('get', '/odd', 'application/json')");
});

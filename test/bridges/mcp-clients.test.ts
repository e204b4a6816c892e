import { once } from 'node:events';
import { connect as connectSocket, createServer, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { text } from 'ors-kit';
import { fromMcp, type McpSession, serveMcpHttp } from 'ors-kit/bridges/mcp';
import { OrsClient } from 'ors-kit/client';
import { play } from 'ors-kit/testing';
import { start } from '../support/client.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';

/** Serves episodes of the lab, whose calls end when the test opens their gates. */
async function servedLab() {
  const { environment, events, open } = lab();
  const server = await start(environment);
  const ors = new OrsClient(server.url);
  const mcp = await serveMcpHttp(() => ors.environment('lab').session({ split: 'train', index: 0 }), { port: 0 });
  return {
    url: mcp.url,
    events,
    open,
    async [Symbol.asyncDispose]() {
      await mcp.close();
      await ors.close();
      await server.close();
    },
  };
}

/** Client that sends requests without a library. */
function rawClient(url: string, revision = '2025-06-18') {
  const session: Record<string, string> = {};
  let lastId = 0;
  const post = (message: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...session,
        ...headers,
      },
      body: JSON.stringify(Array.isArray(message) ? message : { jsonrpc: '2.0', ...message }),
    });
  return {
    session,
    post,
    ask: (method: string, params: object = {}, headers: Record<string, string> = {}) =>
      post({ id: ++lastId, method, params }, headers),
    async initialize() {
      const clientInfo = { name: 'raw', version: '1' };
      const params = { protocolVersion: revision, capabilities: {}, clientInfo };
      const response = await post({ id: ++lastId, method: 'initialize', params });
      session['mcp-session-id'] = response.headers.get('mcp-session-id') ?? '';
      session['mcp-protocol-version'] = revision;
      await post({ method: 'notifications/initialized' });
      return (await response.json()) as { result: { protocolVersion: string } };
    },
  };
}

const wait = (gate: string) => ({ name: 'wait', arguments: { gate } });

test.each([
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['text/event-stream', 'text/event-stream'],
  ['application/*, text/*', 'application/json'],
  ['text/event-stream;q=0, */*', 'application/json'],
  ['text/*', 'text/event-stream'],
  ['', 'application/json'],
])('responds to Accept: %s with %s', async (accept, type) => {
  await using served = await servedLab();
  const client = rawClient(served.url);
  await client.initialize();

  const ping = await client.ask('ping', {}, { accept });
  const call = await client.ask('tools/call', { name: 'count' }, { accept });

  expect([ping.status, ping.headers.get('content-type')]).toEqual([200, type]);
  expect([call.status, call.headers.get('content-type')]).toEqual([200, type]);
  expect(await ping.text()).toContain('"result":{}');
  expect(await call.text()).toContain('"text":"1"');
});

test.each([
  ['a form that it does not accept', { accept: 'text/html' }, 406],
  ['another media type', { 'content-type': 'text/plain' }, 415],
  ['a revision that does not exist', { 'mcp-protocol-version': '1999-01-01' }, 400],
])('rejects %s with status %s', async (_what, headers, status) => {
  await using served = await servedLab();
  const client = rawClient(served.url);
  await client.initialize();

  const answer = await client.ask('ping', {}, headers as Record<string, string>);

  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
});

test('responds to a list of messages with a list, as the revision 2025-03-26 allows', async () => {
  await using served = await servedLab();
  const client = rawClient(served.url, '2025-03-26');
  await client.initialize();
  const message = (id: number, method: string, params = {}) => ({ jsonrpc: '2.0', id, method, params });

  const answer = await client.post([message(7, 'ping'), message(8, 'tools/call', { name: 'count' })], {
    accept: 'application/json',
  });

  expect(await answer.json()).toEqual([
    { jsonrpc: '2.0', id: 7, result: {} },
    { jsonrpc: '2.0', id: 8, result: { content: [{ type: 'text', text: '1' }] } },
  ]);
});

test.each(['text/event-stream', 'application/json'])('ends the %s response of a cancelled call', async (accept) => {
  await using served = await servedLab();
  const client = rawClient(served.url);
  await client.initialize();
  const called = client.post({ id: 50, method: 'tools/call', params: wait('never') }, { accept });
  await until(() => served.events.includes('start never'));

  await client.post({ method: 'notifications/cancelled', params: { requestId: 50 } });
  const answer = await called;

  expect(await answer.text()).not.toContain('result');
  served.open('never');
});

test('keeps the result of a call whose connection breaks until the client continues after its last event', async () => {
  await using served = await servedLab();
  const client = rawClient(served.url, '2025-11-25');
  await client.initialize();
  const cut = await client.post({ id: 9, method: 'tools/call', params: wait('gate') });
  const reader = cut.body?.getReader();
  const primed = new TextDecoder().decode((await reader?.read())?.value);
  const [, lastEventId = ''] = /^id: (\S+)$/m.exec(primed) ?? [];
  await reader?.cancel();

  served.open('gate');
  await until(() => served.events.includes('end gate'));
  const resume = (id: string) =>
    fetch(served.url, { headers: { ...client.session, accept: 'text/event-stream', 'last-event-id': id } });
  const resumed = await resume(lastEventId);
  const again = await resume(lastEventId);
  const unknown = await resume('99-0');

  const texts = [await resumed.text(), await again.text()];
  for (const text of texts) expect(text).toContain('"id":9,"result":{"content":[{"type":"text","text":"gate"}]}');
  expect(unknown.status).toBe(400);
});

/** Forwards connections, and can cut those that are open. */
async function cuttableProxy(target: string) {
  const { port, hostname } = new URL(target);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connectSocket(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address() as { port: number };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}/mcp`,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      proxy.close();
    },
  };
}

test('returns the result of a call to a client of the SDK whose connections were cut', async () => {
  await using served = await servedLab();
  await using proxy = await cuttableProxy(served.url);
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(proxy.url), {
    reconnectionOptions: {
      initialReconnectionDelay: 10,
      maxReconnectionDelay: 50,
      reconnectionDelayGrowFactor: 1.1,
      maxRetries: 20,
    },
  });
  // The types of the SDK's class and interface differ in optional fields.
  await client.connect(transport as never);
  client.onerror = () => {};

  const called = client.callTool(wait('gate'));
  await until(() => served.events.includes('start gate'));
  proxy.cut();
  served.open('gate');

  expect((await called).content).toEqual([{ type: 'text', text: 'gate' }]);
  expect(served.events.filter((event) => event === 'start gate')).toHaveLength(1);
  await client.close();
});

/** Plays an episode with the tools of the lab, whose connections go through the proxy. */
const playFar = (url: string) =>
  play(fromMcp({ name: 'far', splits: { test: [{}] }, connect: { url }, prompt: () => 'Go.' }), {
    split: 'test',
    index: 0,
  });

test('fromMcp continues a call whose connections were cut', async () => {
  await using served = await servedLab();
  await using proxy = await cuttableProxy(served.url);
  await using episode = await playFar(proxy.url);

  const called = episode.call('wait', { gate: 'gate' });
  await until(() => served.events.includes('start gate'));
  proxy.cut();
  served.open('gate');

  expect((await called).text).toBe('gate');
  expect(served.events.filter((event) => event === 'start gate')).toHaveLength(1);
});

test('names the dialect of input schemas, and keeps the one that a tool names itself', async () => {
  const schemas = [{ type: 'object' }, { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }];
  const session: McpSession = {
    sid: '1',
    environment: 'foreign',
    finished: false,
    tools: async () => schemas.map((input_schema, index) => ({ name: `tool_${index}`, description: '', input_schema })),
    call: () => Promise.reject(new Error('no call is made')),
    prompt: async () => [text('Go.')],
    close: async () => {},
  };
  await using mcp = await serveMcpHttp(async () => session, { port: 0 });
  const client = rawClient(mcp.url);
  await client.initialize();

  const { result } = (await (await client.ask('tools/list')).json()) as {
    result: { tools: { inputSchema: { $schema: string } }[] };
  };

  expect(result.tools.map(({ inputSchema }) => inputSchema.$schema)).toEqual([
    'https://json-schema.org/draft/2020-12/schema',
    'http://json-schema.org/draft-07/schema#',
  ]);
});

import { request as httpRequest } from 'node:http';
import { expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type RewardRow, type ServeMcpHttpOptions, serveMcpHttp } from 'ors-kit/bridges/mcp';
import { OrsClient, type RetryPolicy } from 'ors-kit/client';
import { start } from '../support/client.ts';
import { until } from '../support/until.ts';
import { treasure } from './treasure.ts';

async function served(options: ServeMcpHttpOptions = {}, retry?: Partial<RetryPolicy>) {
  const server = await start(treasure);
  const ors = new OrsClient(server.url, { ...(retry && { retry }) });
  const rows: RewardRow[] = [];
  const open = () => ors.environment('treasure').session({ split: 'train', index: 0 });
  const mcp = await serveMcpHttp(open, { port: 0, onReward: (row) => rows.push(row), ...options });
  return {
    server,
    mcp,
    rows,
    async connect() {
      const client = new Client({ name: 'test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(mcp.url));
      // The types of the SDK's class and interface differ in optional fields.
      await client.connect(transport as never);
      return { client, transport };
    },
    async [Symbol.asyncDispose]() {
      await mcp.close();
      await ors.close();
      await server.close();
    },
  };
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** Sends a request by node:http, because `fetch` does not allow setting the host. */
const ask = (url: string, headers: Record<string, string>, body: unknown = initialize, method = 'POST') =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers };
    const sent = httpRequest(url, { method, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? JSON.stringify(body) : undefined);
  });

test('opens a separate episode for each client, which the client can end', async () => {
  await using mcp = await served();
  const one = await mcp.connect();
  const other = await mcp.connect();

  await one.client.callTool({ name: 'island.dig', arguments: { spot: 3 } });
  const refused = await one.client.callTool({ name: 'look' });
  const looked = await other.client.callTool({ name: 'look' });
  const during = mcp.server.sessionCount;
  await one.transport.terminateSession();
  const after = mcp.server.sessionCount;
  await one.client.close();
  await other.client.close();

  expect(refused.isError).toBe(true);
  expect(looked.isError).toBeUndefined();
  expect([during, after]).toEqual([2, 1]);
  expect(mcp.rows.filter(({ type }) => type === 'episode')).toMatchObject([{ reward: 0.8125, finished: true }]);
});

test('deletes all episodes when the server is closed, and reports their totals', async () => {
  await using mcp = await served();
  const clients = [await mcp.connect(), await mcp.connect()];

  await mcp.mcp.close();

  expect(mcp.server.sessionCount).toBe(0);
  expect(mcp.rows.map(({ type }) => type)).toEqual(['episode', 'episode']);
  for (const { client } of clients) await client.close();
});

test.each([
  ['a page of elsewhere', { origin: 'https://example.com' }, 403],
  ['a name of elsewhere', { host: 'example.com' }, 403],
  ['a page of this machine', { origin: 'http://localhost:5173' }, 200],
  ['a session that is over', { 'mcp-session-id': 'gone' }, 404],
])('responds to %s with its status', async (_who, headers, status) => {
  await using mcp = await served();

  const answer = await ask(mcp.mcp.url, headers);

  expect(answer.status).toBe(status);
  expect(mcp.server.sessionCount).toBe(status === 200 ? 1 : 0);
});

test.each([
  ['a request before initialize', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, 'POST', 400],
  ['no JSON-RPC', '/mcp', [1], 'POST', 400],
  ['GET without a session', '/mcp', null, 'GET', 400],
  ['another path', '/', initialize, 'POST', 404],
])('rejects %s without opening an episode', async (_what, path, body, method, status) => {
  await using mcp = await served();

  const answer = await ask(new URL(path, mcp.mcp.url).href, {}, body, method);

  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  expect(mcp.server.sessionCount).toBe(0);
});

test('rejects clients beyond the maximum number of episodes until one has ended', async () => {
  await using mcp = await served({ maxEpisodes: 1 });
  const { client, transport } = await mcp.connect();

  const refused = await ask(mcp.mcp.url, {});
  await transport.terminateSession();
  const taken = await ask(mcp.mcp.url, {});
  await client.close();

  expect([refused.status, taken.status]).toEqual([503, 200]);
});

test('two concurrent clients do not exceed the limit of episodes', async () => {
  await using mcp = await served({ maxEpisodes: 1 });

  const answers = await Promise.all([ask(mcp.mcp.url, {}), ask(mcp.mcp.url, {})]);

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 503]);
});

test('answers 502 if the environment server is gone', async () => {
  await using mcp = await served({ maxEpisodes: 3 }, { budgetMs: 200 });
  await mcp.server.close();

  const answer = await ask(mcp.mcp.url, {});

  expect([answer.status, answer.text]).toEqual([502, expect.stringContaining('"error"')]);
});

test('serves any address of this machine', async () => {
  await using mcp = await served({ host: '127.0.0.2' });

  expect(await ask(mcp.mcp.url, {})).toMatchObject({ status: 200 });
});

test('requires allowedHosts for a server that other machines can reach', async () => {
  const serving = serveMcpHttp(() => Promise.reject(new Error('never')), { host: '0.0.0.0', port: 0 });

  await expect(serving).rejects.toThrow(/other machines can reach 0\.0\.0\.0; list the host names/);
});

test('deletes an episode that receives no requests any more', async () => {
  await using mcp = await served({ idleMs: 0, sweepMs: 5 });

  const answer = await ask(mcp.mcp.url, {});

  expect(answer.status).toBe(200);
  await until(() => mcp.rows.length > 0);
  expect(mcp.server.sessionCount).toBe(0);
  expect(mcp.rows).toMatchObject([{ type: 'episode', calls: 0 }]);
});

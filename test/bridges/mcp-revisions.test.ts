import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { fromMcp, type McpServerLocation, type RewardRow, serveMcp, serveMcpHttp } from 'ors-kit/bridges/mcp';
import { OrsClient, ToolCallError } from 'ors-kit/client';
import { play } from 'ors-kit/testing';
import { start } from '../support/client.ts';
import { ORS } from '../support/command.ts';
import { lab } from '../support/lab.ts';
import { until } from '../support/until.ts';
import { statelessNotebook } from './stateless-notebook.mjs';
import { openTreasure, PIXEL, treasure } from './treasure.ts';

const STATELESS = '2026-07-28';

/** Client of the 2.x packages: `auto` prefers the stateless revision, `pin` accepts nothing else. */
const newClient = (mode: 'auto' | 'pin') =>
  new Client(
    { name: 'test', version: '2' },
    { versionNegotiation: { mode: mode === 'pin' ? { pin: STATELESS } : 'auto' } },
  );

async function servedTreasure() {
  const server = await start(treasure);
  const ors = new OrsClient(server.url);
  const rows: RewardRow[] = [];
  const open = () => ors.environment('treasure').session({ split: 'train', index: 0 });
  const mcp = await serveMcpHttp(open, { port: 0, onReward: (row) => rows.push(row) });
  return {
    server,
    mcp,
    rows,
    async connect(mode: 'auto' | 'pin', query = '') {
      const client = newClient(mode);
      await client.connect(new StreamableHTTPClientTransport(new URL(mcp.url + query)));
      return client;
    },
    async [Symbol.asyncDispose]() {
      await mcp.close();
      await ors.close();
      await server.close();
    },
  };
}

const dig = (spot: number) => ({ name: 'island.dig', arguments: { spot } });

test('serves a client of the stateless revision over any transport', async () => {
  await using episode = await openTreasure();
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await using _mcp = await serveMcp(episode.session, { transport: ours });
  const client = newClient('pin');
  await client.connect(theirs);

  const { tools } = await client.listTools();
  const looked = await client.callTool({ name: 'look' });
  const refused = await client.callTool(dig(-1));
  const prompt = await client.getPrompt({ name: 'task' });
  const resource = await client.readResource({ uri: 'ors://prompt' });

  expect(client.getNegotiatedProtocolVersion()).toBe(STATELESS);
  expect(client.getServerVersion()).toMatchObject({ name: 'treasure', version: '1' });
  expect(client.getInstructions()).toContain('Find the treasure.');
  expect(tools.map(({ name }) => name)).toEqual(['look', 'island.dig']);
  expect(looked.content).toEqual([
    { type: 'text', text: 'A map.' },
    { type: 'image', data: PIXEL, mimeType: 'image/png' },
  ]);
  expect(refused).toMatchObject({ isError: true });
  expect(prompt.messages).toHaveLength(2);
  expect(resource.contents).toHaveLength(2);
  await expect(client.getPrompt({ name: 'other' })).rejects.toThrow(/unknown prompt 'other'/);
  await client.close();
});

test('serves a separate episode for each name in the URL to clients without sessions', async () => {
  await using served = await servedTreasure();
  const one = await served.connect('pin', '?episode=one');
  const other = await served.connect('pin', '?episode=other');

  const found = await one.callTool(dig(3));
  const after = await one.callTool({ name: 'look' });
  const looked = await other.callTool({ name: 'look' });
  await until(() => served.rows.some(({ type }) => type === 'episode'));

  expect([found.isError, after.isError, looked.isError]).toEqual([undefined, true, undefined]);
  expect(served.rows.find(({ type }) => type === 'episode')).toMatchObject({ reward: 0.8125, finished: true });
  expect(served.server.sessionCount).toBe(1);
  for (const client of [one, other]) await client.close();
});

test('never lets two clients of one URL play the same episode', async () => {
  await using served = await servedTreasure();
  const first = await served.connect('auto');
  const second = await served.connect('auto');

  await first.callTool(dig(3));
  const looked = await second.callTool({ name: 'look' });
  const third = await served.connect('auto');
  const lookedToo = await third.callTool({ name: 'look' });

  const clients = [first, second, third];
  // The first episode is finished when the third client begins.
  expect(clients.map((client) => client.getNegotiatedProtocolVersion())).toEqual([STATELESS, '2025-11-25', STATELESS]);
  expect([looked.isError, lookedToo.isError]).toEqual([undefined, undefined]);
  for (const client of clients) await client.close();
});

test('cancels a call when a client without a session closes its response', async () => {
  const { environment, events } = lab();
  await using server = await start(environment);
  await using ors = new OrsClient(server.url);
  const rows: RewardRow[] = [];
  const open = () => ors.environment('lab').session({ split: 'train', index: 0 });
  await using mcp = await serveMcpHttp(open, { port: 0, onReward: (row) => rows.push(row) });
  const client = newClient('pin');
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp.url)));
  const stop = new AbortController();

  const called = client.callTool({ name: 'until_aborted' }, { signal: stop.signal }).catch(() => 'given up');
  await until(() => events.includes('start until_aborted'));
  stop.abort();
  await until(() => rows.length > 0);

  expect(await called).toBe('given up');
  expect(rows).toMatchObject([{ type: 'call', ok: false, reward: null }]);
  await client.close();
});

const meta = { 'io.modelcontextprotocol/protocolVersion': STATELESS, 'io.modelcontextprotocol/clientCapabilities': {} };
const standard = { 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/call', 'mcp-name': 'look' };
const look = { name: 'look', _meta: meta };

test.each([
  ['a call', standard, look, 200, undefined],
  ['an encoded name', { ...standard, 'mcp-name': '=?base64?bG9vaw==?=' }, look, 200, undefined],
  ['another method in the header', { ...standard, 'mcp-method': 'tools/list' }, look, 400, -32_020],
  ['another name in the header', { ...standard, 'mcp-name': 'island.dig' }, look, 400, -32_020],
  ['no headers', {}, look, 400, -32_020],
  ['no fields of the revision', { 'mcp-protocol-version': STATELESS }, { name: 'look' }, 400, -32_602],
  [
    'no capabilities',
    standard,
    { ...look, _meta: { 'io.modelcontextprotocol/protocolVersion': STATELESS } },
    400,
    -32_602,
  ],
  [
    'a revision that does not exist',
    { ...standard, 'mcp-protocol-version': '2099-01-01' },
    { ...look, _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } },
    400,
    -32_022,
  ],
])('responds to %s of the stateless revision with its status', async (_what, headers, params, status, code) => {
  await using served = await servedTreasure();

  const response = await fetch(served.mcp.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers } as Record<string, string>,
    body: JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'tools/call', params }),
  });

  const body = (await response.json()) as { error?: { code: number } };
  expect([response.status, body.error?.code]).toEqual([status, code]);
  expect(body).toMatchObject({ jsonrpc: '2.0', id: 5 });
  expect(served.server.sessionCount).toBe(status === 200 ? 1 : 0);
});

test('responds with 404 to a method that the stateless revision does not have', async () => {
  await using served = await servedTreasure();

  const response = await fetch(served.mcp.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'mcp-protocol-version': STATELESS, 'mcp-method': 'ping' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: meta } }),
  });

  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: -32_601 } });
});

test('plays an episode over standard streams with a client of the 2.x packages', async () => {
  await using server = await start(treasure);
  const [command, main] = ORS;
  const folder = await mkdtemp(join(tmpdir(), 'ors-mcp-'));
  const file = join(folder, 'rewards.jsonl');
  const task = ['--env', 'treasure', '--split', 'train', '--index', '0', '--rewards', file];
  const args = [main, 'mcp', server.url, ...task];
  const client = newClient('auto');
  await client.connect(new StdioClientTransport({ command, args, stderr: 'pipe' }));

  const found = await client.callTool(dig(3));
  const [instructions, revision] = [client.getInstructions(), client.getNegotiatedProtocolVersion()];
  await client.close();
  await until(() => server.sessionCount === 0);
  const rows = await until(async () => {
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    return lines.length > 1 && lines.map((line) => JSON.parse(line));
  });
  await rm(folder, { recursive: true });

  expect([instructions, revision]).toEqual([expect.stringContaining('Find the treasure.'), STATELESS]);
  expect(found.content).toEqual([{ type: 'text', text: 'Gold!' }]);
  // The client starts the program twice, and only asks the first one what it supports.
  expect(rows).toMatchObject([
    { type: 'call', reward: 0.8125 },
    { type: 'episode', calls: 1, reward: 0.8125 },
  ]);
});

/** Serves the notebook of the 2.x packages over HTTP: one server for each request. */
async function serveStatelessNotebooks(legacy: 'stateless' | 'reject') {
  const notes: string[] = [];
  const handler = createMcpHandler(() => statelessNotebook(notes), { legacy });
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const body = request.method === 'POST' ? { body: Readable.toWeb(request), duplex: 'half' } : {};
    const init = { method: request.method, headers: request.headers, ...body };
    const answer = await handler.fetch(new Request(`http://127.0.0.1${request.url}`, init as never));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) await pipeline(Readable.fromWeb(answer.body as never), response);
    else response.end();
  };
  const server = createServer((request, response) => void respond(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      await handler.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

const notebook = (connect: McpServerLocation) =>
  fromMcp({
    name: 'notebook',
    splits: { test: [{}] },
    connect,
    prompt: ({ instructions }) => instructions,
  });

const program = (...flags: string[]) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('./stateless-notebook.mjs', import.meta.url)), ...flags],
});

async function playNotebook(connect: McpServerLocation) {
  await using episode = await play(notebook(connect), { split: 'test', index: 0 });
  const [prompt] = episode.prompt;
  expect(prompt).toMatchObject({ text: 'Notes are kept in order.' });
  expect(episode.tools.map(({ name }) => name)).toEqual(['add', 'tear', 'send', 'ask']);
  expect((await episode.call('add', { note: 'one' })).text).toBe('1 notes.');
  expect((await episode.call('add', { note: 'two' })).text).toBe('2 notes.');
  expect((await episode.call('send', { region: 'Zürich' })).text).toBe('sent to Zürich');
  await expect(episode.call('tear')).rejects.toThrow(ToolCallError);
  await expect(episode.call('ask')).rejects.toThrow(ToolCallError);
}

test.each([['both kinds of clients'], ['clients without sessions', '--stateless']])(
  'plays the tools of a program of the 2.x packages that serves %s',
  async (_clients, ...flags) => {
    await playNotebook(program(...flags));
  },
);

test.each(['stateless', 'reject'] as const)(
  'plays the tools of an HTTP server of the 2.x packages whose sessions are: %s',
  async (legacy) => {
    await using served = await serveStatelessNotebooks(legacy);

    await playNotebook({ url: served.url });
  },
);

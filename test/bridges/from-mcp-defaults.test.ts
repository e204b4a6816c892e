import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { fromMcp } from 'ors-kit/bridges/mcp';
import { play } from 'ors-kit/testing';

/** Serves a tool `echo` without a session for each request. */
async function serveEcho(inputSchema: { type: 'object'; [keyword: string]: unknown }) {
  const http = createServer(async (request, response) => {
    const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'echo', inputSchema }] }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
      content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
    }));
    const transport = new StreamableHTTPServerTransport();
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

test('plays a tool with a default that its own schema refuses, as pydantic writes it, without that default', async () => {
  const properties = { note: { type: 'string', default: null }, count: { type: 'integer', default: 2 } };
  await using echo = await serveEcho({ type: 'object', properties });
  const connect = { url: echo.url };
  const environment = fromMcp({ name: 'echo', connect, splits: { test: [{}] }, prompt: () => 'Go.' });

  await using episode = await play(environment, { split: 'test', index: 0 });

  expect((await episode.call('echo')).text).toBe('{"count":2}');
});

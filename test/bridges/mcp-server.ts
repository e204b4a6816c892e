/** A real MCP server of a notebook, on standard streams or over HTTP: `mcp-server.ts [http]`. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** One with notes of its own. */
export function notebook(): McpServer {
  const server = new McpServer({ name: 'notebook', version: '1' }, { instructions: 'Notes are kept in order.' });
  const notes: string[] = [];
  server.registerTool(
    'add',
    { description: 'Add a note.', inputSchema: { note: z.string().min(1), times: z.int().default(1) } },
    ({ note, times }) => {
      for (let time = 0; time < times; time++) notes.push(note);
      return { content: [{ type: 'text', text: `${notes.length} notes.` }] };
    },
  );
  server.registerTool('list.all', { title: 'List notes' }, () => ({
    content: [
      { type: 'text', text: notes.join(', ') },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'note://1', text: 'the first' } },
      { type: 'resource_link', uri: 'note://2', name: 'second' },
    ],
  }));
  server.registerTool('tear', { description: 'Tear a page.' }, () => ({
    content: [{ type: 'text', text: 'there is no page' }],
    isError: true,
  }));
  server.registerTool('token', { description: 'Say TOKEN.' }, () => ({
    content: [{ type: 'text', text: `${process.env.TOKEN} ${process.pid}` }],
  }));
  server.registerTool('burn', { description: 'End the server.' }, () => {
    process.stderr.write('the notebook burns\n');
    process.exit(3);
  });
  return server;
}

/** The notebook over HTTP, a new one for each session of MCP; and how many sessions there are. */
export async function serveNotebooks() {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer(async (request, response) => {
    const known = transports.get(String(request.headers['mcp-session-id']));
    if (known) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void transports.set(id, transport),
      onsessionclosed: (id) => void transports.delete(id),
    });
    await notebook().connect(transport as never);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    sessions: () => transports.size,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

if (process.argv[1]?.endsWith('mcp-server.ts')) await notebook().connect(new StdioServerTransport());

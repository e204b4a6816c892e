/**
 * Serves the environment of the benchmarks with version 1 of the MCP TypeScript SDK, like its examples of servers with
 * sessions: its Express app, and a server and a transport for each session. All settings are the defaults, so that
 * responses are event streams. Unlike our server, it does not end idle sessions.
 */
import { randomUUID } from 'node:crypto';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { inputs, run } from './mcp-tools.ts';

function createServer(): McpServer {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool('submit', { description: 'Submit an answer.', inputSchema: inputs.submit }, run.submit);
  server.registerTool('wait', { description: 'Wait for some seconds.', inputSchema: inputs.wait }, run.wait);
  server.registerTool('big', { description: 'Return one text of this size.', inputSchema: inputs.big }, run.big);
  return server;
}

const transports = new Map<string, StreamableHTTPServerTransport>();

async function openSession(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void transports.set(id, transport),
    onsessionclosed: (id) => void transports.delete(id),
  });
  await createServer().connect(transport);
  return transport;
}

const app = createMcpExpressApp();

app.get('/health', (_request, response) => void response.json({ status: 'ok' }));

app.post('/mcp', async (request, response) => {
  const id = request.headers['mcp-session-id'];
  const isFirst = id === undefined && isInitializeRequest(request.body);
  const transport = isFirst ? await openSession() : transports.get(String(id));
  if (transport !== undefined) return await transport.handleRequest(request, response, request.body);
  const error = { code: -32_001, message: 'Session not found' };
  response.status(404).json({ jsonrpc: '2.0', error, id: null });
});

app.delete('/mcp', async (request, response) => {
  const transport = transports.get(String(request.headers['mcp-session-id']));
  if (transport === undefined) return void response.status(404).end();
  await transport.handleRequest(request, response);
});

app.listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 });

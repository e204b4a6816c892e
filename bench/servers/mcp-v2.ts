/**
 * Serves the environment of the benchmarks with version 2 of the MCP TypeScript SDK: its adapter for `node:http` with
 * its guards, and a server and a transport for each session. All settings are the defaults, so that responses are event
 * streams. Unlike our server, it does not end idle sessions.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { McpServer, type Transport } from '@modelcontextprotocol/server';
import { inputs, run } from './mcp-tools.ts';

/** The used part of the adapter, which is not a dependency. */
interface NodeAdapter {
  NodeStreamableHTTPServerTransport: new (options: {
    sessionIdGenerator: () => string;
    onsessioninitialized: (id: string) => void;
    onsessionclosed: (id: string) => void;
  }) => NodeTransport;
  localhostHostValidation(): Guard;
  localhostOriginValidation(): Guard;
}
type Guard = (request: IncomingMessage, response: ServerResponse) => boolean;
interface NodeTransport extends Transport {
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

// The name is not a literal, because the compiler would look for the package.
const adapter: NodeAdapter = await import(['@modelcontextprotocol', 'node'].join('/'));
const isHostValid = adapter.localhostHostValidation();
const isOriginValid = adapter.localhostOriginValidation();

const transports = new Map<string, NodeTransport>();

function createMcpServer(): McpServer {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool('submit', { description: 'Submit an answer.', inputSchema: inputs.submit }, run.submit);
  server.registerTool('wait', { description: 'Wait for some seconds.', inputSchema: inputs.wait }, run.wait);
  server.registerTool('big', { description: 'Return one text of this size.', inputSchema: inputs.big }, run.big);
  return server;
}

/** The transport rejects the first request of a session unless it is `initialize`. */
async function openSession(): Promise<NodeTransport> {
  const transport = new adapter.NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void transports.set(id, transport),
    onsessionclosed: (id) => void transports.delete(id),
  });
  await createMcpServer().connect(transport);
  return transport;
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  if (request.url === '/health') return response.end('{"status":"ok"}');
  if (!isHostValid(request, response) || !isOriginValid(request, response)) return;
  const id = request.headers['mcp-session-id'];
  const transport = id === undefined ? await openSession() : transports.get(String(id));
  return transport === undefined ? response.writeHead(404).end() : await transport.handleRequest(request, response);
}

createServer(handle).listen(Number(process.env.PORT), '127.0.0.1', 4096);

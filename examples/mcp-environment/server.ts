/** An ordinary MCP server on standard input and output: a counter, without rewards. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'counter', version: '1' }, { instructions: 'A counter that starts at 0.' });
let count = 0;

server.registerTool(
  'add',
  { description: 'Add to the counter.', inputSchema: { amount: z.int().min(-10).max(10) } },
  ({ amount }) => {
    count += amount;
    return { content: [{ type: 'text', text: `The counter is ${count}.` }] };
  },
);
server.registerTool('double', { description: 'Double the counter.' }, () => {
  count *= 2;
  return { content: [{ type: 'text', text: `The counter is ${count}.` }] };
});

await server.connect(new StdioServerTransport());

/** MCP server of a notebook, on standard streams if it is the main module. JavaScript, because that starts faster. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Creates a server with separate notes. */
export function notebook() {
  const server = new McpServer({ name: 'notebook', version: '1' }, { instructions: 'Notes are kept in order.' });
  const notes = [];
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

if (process.argv[1]?.endsWith('notebook.mjs')) await notebook().connect(new StdioServerTransport());

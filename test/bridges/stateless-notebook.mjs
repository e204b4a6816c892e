/** MCP server of the 2.x packages. Serves standard streams if it is the main module; `--stateless` refuses sessions. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

/** Creates a server. Without sessions, there is one for each request. */
export function statelessNotebook(notes = []) {
  const server = new McpServer({ name: 'notebook', version: '1' }, { instructions: 'Notes are kept in order.' });
  server.registerTool(
    'add',
    { description: 'Add a note.', inputSchema: z.object({ note: z.string().min(1) }) },
    ({ note }) => {
      notes.push(note);
      return { content: [{ type: 'text', text: `${notes.length} notes.` }] };
    },
  );
  server.registerTool('tear', { description: 'Tear a page.' }, () => ({
    content: [{ type: 'text', text: 'page not found' }],
    isError: true,
  }));
  const region = z.string().meta({ 'x-mcp-header': 'Region' });
  server.registerTool('send', { description: 'Send the notes.', inputSchema: z.object({ region }) }, ({ region }) => ({
    content: [{ type: 'text', text: `sent to ${region}` }],
  }));
  server.registerTool('ask', { description: 'Ask the user.' }, () => ({
    resultType: 'input_required',
    inputRequests: {
      name: {
        method: 'elicitation/create',
        params: { mode: 'form', message: 'Your name?', requestedSchema: { type: 'object', properties: {} } },
      },
    },
  }));
  return server;
}

if (process.argv[1]?.endsWith('stateless-notebook.mjs')) {
  const notes = [];
  serveStdio(() => statelessNotebook(notes), { legacy: process.argv.includes('--stateless') ? 'reject' : 'serve' });
}

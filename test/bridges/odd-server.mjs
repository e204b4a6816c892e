/**
 * MCP server without a library, on standard streams, for what real servers send and the packages refuse to send. The first
 * argument is JSON: `pages` of tools (a cursor in `repeats` is sent forever), and the `result` of every call; without it, a
 * call returns its arguments.
 */
import readline from 'node:readline';

const { pages, repeats = false, result } = JSON.parse(process.argv[2]);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function respond(method, params) {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1' } };
  }
  if (method === 'tools/list') {
    const page = Number(params?.cursor ?? 0);
    const next = repeats ? { nextCursor: '0' } : page + 1 < pages.length ? { nextCursor: String(page + 1) } : {};
    return { tools: pages[page], ...next };
  }
  return result ?? { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] };
}

console.log('This line is no message.');
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined && method !== undefined) send({ id, result: respond(method, params) });
});

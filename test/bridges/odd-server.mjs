/**
 * MCP server without a library, on standard streams, for what real servers send and the packages refuse to send. The first
 * argument is JSON: `pages` of tools (a cursor in `repeats` is sent forever), and the `results` of calls by tool; a call of
 * another tool returns its arguments. With `pings`, a call first waits for the responses to a ping and to an unknown method.
 */
import readline from 'node:readline';

const { pages, repeats = false, results = {}, pings = false } = JSON.parse(process.argv[2]);
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
  return results[params.name] ?? { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] };
}

/** Responses of the client, and what waits for the second one. */
const responses = [];
let onResponses = () => {};

console.log('This line is not a message.');
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result: pong, error } = JSON.parse(line);
  if (method === undefined && responses.push(pong ?? error?.code) === 2) onResponses();
  if (id === undefined || method === undefined) return;
  if (method !== 'tools/call' || !pings) return send({ id, result: respond(method, params) });
  onResponses = () => send({ id, result: { content: [{ type: 'text', text: JSON.stringify(responses) }] } });
  send({ id: 'ping', method: 'ping' });
  send({ id: 'roots', method: 'roots/list' });
});

/**
 * Sends each posted body to all followers as an SSE event `block`, without storing it. Prints its URL, and exits when
 * its standard input ends.
 */

import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const followers = new Set<ServerResponse>();

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
    followers.add(response);
    response.once('close', () => followers.delete(response));
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (part: string) => {
    body += part;
  });
  request.on('end', () => {
    for (const follower of followers) follower.write(`event: block\ndata: ${body}\n\n`);
    response.writeHead(201).end('{}');
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.stdin.resume().on('end', () => process.exit());

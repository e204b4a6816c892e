import type { ServerResponse } from 'node:http';

/** Sends an answer that is all there, in one write. */
export function sendWhole(response: ServerResponse, status: number, headers: string[], text: string): void {
  response.writeHead(status, headers);
  response.write(text);
  // With `end(text)` the socket has an empty second piece to gather, which costs more than the flush.
  response.socket?.uncork();
  response.end();
}

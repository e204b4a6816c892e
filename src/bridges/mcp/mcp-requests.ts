import type { IncomingMessage, ServerResponse } from 'node:http';
import { tryParseJson } from '../../core/index.ts';

/** The longest request that opens an episode, in bytes. */
const MAX_BODY_LENGTH = 1024 * 1024;

/** Answers with an error of JSON-RPC that belongs to no request. */
export function sendJsonRpcError(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null });
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** The JSON of a body; undefined where it is none or too long. */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_LENGTH) return undefined;
    chunks.push(chunk);
  }
  return tryParseJson(Buffer.concat(chunks).toString('utf8'));
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withDeadline } from '../../support/until.ts';

/** Response of a provider's server to one request. */
export type ProviderResponse =
  | { readonly json: unknown; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  | {
      /** Events of the stream, in order. */
      readonly events: readonly object[];
      /** End of the stream: complete, cut off, or open until the client disconnects. Default: `whole`. */
      readonly ending?: 'whole' | 'cut' | 'open';
    };

/** A request as the server received it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: the package chooses the fields
  readonly body: any;
}

/** Starts a server that returns the given responses in order, and records the requests. */
export async function startProvider(responses: readonly ProviderResponse[]) {
  const received: Received[] = [];
  const left = [...responses];
  let leave = () => {};
  const gone = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url: path = '', headers } = request;
    received.push({ path, headers, body: JSON.parse(Buffer.concat(chunks).toString() || 'null') });
    const answer = left.shift();
    if (!answer) response.writeHead(400).end('{"error":{"message":"there is no answer left"}}');
    else if ('json' in answer) sendJson(response, answer);
    else await sendEvents(response, answer.events, answer.ending ?? 'whole', leave);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Settles when a client has disconnected from a stream that stays open. */
    gone,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await withDeadline(once(server.close(), 'close'), 'the end of the provider');
    },
  };
}

function sendJson(
  response: ServerResponse,
  { json, status = 200, headers }: Extract<ProviderResponse, { json: unknown }>,
): void {
  const ids = { 'x-request-id': 'req_1', 'request-id': 'req_1' };
  response.writeHead(status, { 'Content-Type': 'application/json', ...ids, ...headers }).end(JSON.stringify(json));
}

async function sendEvents(
  response: ServerResponse,
  events: readonly object[],
  ending: 'whole' | 'cut' | 'open',
  onGone: () => void,
): Promise<void> {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'x-request-id': 'req_1', 'request-id': 'req_1' });
  response.flushHeaders();
  response.on('close', onGone);
  const isNamed = events.some((event) => 'type' in event);
  for (const event of events) {
    const name = 'type' in event ? `event: ${event.type}\n` : '';
    const bytes = Buffer.from(`${name}data: ${JSON.stringify(event)}\n\n`);
    // Sent in two pieces that are split anywhere, also inside of characters.
    const cut = Math.floor(bytes.length / 2);
    for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
      await new Promise((resolve) => response.write(piece, resolve));
    }
  }
  if (ending === 'cut') response.destroy();
  if (ending === 'whole') response.end(isNamed ? '' : 'data: [DONE]\n\n');
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withDeadline } from '../../support/until.ts';

/** Answer of a provider's server to one request. */
export type Answer =
  | { readonly json: unknown; readonly status?: number; readonly headers?: Readonly<Record<string, string>> }
  | {
      /** Events of the stream, in order. */
      readonly events: readonly object[];
      /** End of the stream: complete, cut off, or open until the client disconnects. Default: `whole`. */
      readonly ending?: 'whole' | 'cut' | 'open';
    };

/** A request as the server got it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: whatever the package sent
  readonly body: any;
}

/** A server that answers in the words of a provider, one answer after the other, and keeps what it was asked. */
export async function startProvider(answers: readonly Answer[]) {
  const received: Received[] = [];
  const left = [...answers];
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
    /** Settles when a client has gone from a stream that stays open. */
    gone,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await withDeadline(once(server.close(), 'close'), 'the end of the provider');
    },
  };
}

function sendJson(response: ServerResponse, { json, status = 200, headers }: Extract<Answer, { json: unknown }>): void {
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
    // In two pieces, cut somewhere, also within characters.
    const cut = Math.floor(bytes.length / 2);
    for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
      await new Promise((resolve) => response.write(piece, resolve));
    }
  }
  if (ending === 'cut') response.destroy();
  if (ending === 'whole') response.end(isNamed ? '' : 'data: [DONE]\n\n');
}

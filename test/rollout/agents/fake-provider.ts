import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeAnswer, Wire } from './wire.ts';
import { chat } from './wire-chat.ts';
import { messages } from './wire-messages.ts';
import { responses } from './wire-responses.ts';

/** HTTP response that does not come from a model. */
export interface FakeRefusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type FakeReply = FakeAnswer | FakeRefusal | 'hang';

export interface FakeRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect bodies of every provider
  readonly body: any;
}

const WIRES: Readonly<Record<string, Wire>> = {
  '/v1/chat/completions': chat,
  '/v1/messages': messages,
  '/v1/responses': responses,
};

/** Starts a provider on loopback that sends the given replies, one per request, and then a text. */
export async function startProvider(script: readonly FakeReply[], models?: readonly string[]) {
  const requests: FakeRequest[] = [];
  const replies = [...script];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const { url: path = '', headers } = request;
    const [route = ''] = path.split('?');
    if (route.endsWith('/models')) {
      sendJson(response, models && route === '/v1/models' ? 200 : 404, { data: models?.map((id) => ({ id })) });
      return;
    }
    requests.push({ path, headers, text, body: JSON.parse(text) });
    const wire = WIRES[route];
    if (wire) await reply(response, wire, replies.shift() ?? { text: 'I am done.' }, JSON.parse(text).stream === true);
    else sendJson(response, 404, { detail: 'Not Found' });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/v1`,
    requests: requests as readonly FakeRequest[],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function reply(response: ServerResponse, wire: Wire, said: FakeReply, streaming: boolean): Promise<void> {
  if (said === 'hang') return;
  if ('status' in said) return sendJson(response, said.status, said.body ?? {}, said.headers);
  if (!streaming) return sendJson(response, 200, wire.whole(said));
  const events = wire.events(said);
  // The middle of the stream is within the arguments of a call.
  const sent = said.cut ? events.slice(0, Math.ceil(events.length / 2)) : events;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of sent) {
    response.write(event);
    await new Promise(setImmediate);
  }
  if (said.cut === 'tcp') response.destroy();
  else response.end();
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

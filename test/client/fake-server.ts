import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OrsClient, type OrsClientOptions } from 'ors-kit/client';

/** Request that the server received. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any;
}

/** Responds to a request; `nth` is its number among the requests of this path, from 1. */
export type Responder = (response: ServerResponse, seen: SeenRequest, nth: number) => void;

export interface FakeServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Returns the requests of one path. */
  to(path: string): readonly SeenRequest[];
}

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Responder =>
  (response) =>
    void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Sends events, given as on the wire, and ends the stream. */
export const stream =
  (...text: string[]): Responder =>
  (response) =>
    void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(text.join(''));

/** Starts a stream and leaves it open. */
export const open =
  (...text: string[]): Responder =>
  (response) =>
    void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(text.join('') || ': open\n\n');

/** Breaks the connection before the response. */
export const reset: Responder = (response) => response.socket?.resetAndDestroy();

/** Sends the responses in order; the last one repeatedly. */
export const inOrder =
  (...answers: Responder[]): Responder =>
  (response, seen, nth) =>
    answers[Math.min(nth, answers.length) - 1]?.(response, seen, nth);

export const event = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

export const output = (text: string, more: object = {}): string =>
  JSON.stringify({ ok: true, output: { blocks: [{ type: 'text', text }], ...more } });

/** Responses that an episode of `maze` needs to be opened and closed. */
const basics: Record<string, Responder> = {
  '/create_session': json({ sid: 's1' }),
  '/create': json({}),
  '/ping': json({ status: 'ok' }),
  '/delete': json({ sid: 's1' }),
  '/maze/prompt': json([{ type: 'text', text: 'Go.' }]),
  '/maze/task_tools': json({ tools: [] }),
};

/** Starts a server with the responses of a test; other paths return 404. */
export async function startFakeServer(answers: Record<string, Responder> = {}): Promise<FakeServer> {
  const seen: SeenRequest[] = [];
  const table: Record<string, Responder> = { ...basics, ...answers };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const text = Buffer.concat(parts).toString();
    const path = request.url ?? '';
    const one: SeenRequest = {
      method: request.method ?? '',
      path,
      headers: request.headers,
      body: text ? JSON.parse(text) : undefined,
    };
    seen.push(one);
    const answer = table[path] ?? json({ detail: 'Not Found' }, 404);
    answer(response, one, seen.filter((other) => other.path === path).length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    to: (path) => seen.filter((one) => one.path === path),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Creates a client with short pauses between attempts. */
export const createClient = (server: { url: string }, { retry, ...options }: OrsClientOptions = {}): OrsClient =>
  new OrsClient(server.url, { ...options, retry: { firstDelayMs: 1, maxDelayMs: 5, budgetMs: 5_000, ...retry } });

/** Opens an episode of `maze` on a fake server. */
export const openEpisode = (client: OrsClient) => client.environment('maze').session({ split: 'train', index: 0 });

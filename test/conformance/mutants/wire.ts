import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface WireRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The changes of a layer; all parts are optional. */
export interface Wire {
  /** Changes a request before the server receives it, or responds to it. */
  request?(request: WireRequest): WireRequest | WireAnswer | Promise<WireRequest | WireAnswer>;
  /** Changes a response that is not an event stream, or converts it to one. */
  answer?(answer: WireAnswer, request: WireRequest): WireAnswer | Promise<WireAnswer>;
  /** Changes status and headers of an event stream. */
  head?(head: Omit<WireAnswer, 'body'>, request: WireRequest): Omit<WireAnswer, 'body'>;
  /** Changes an event stream: receives events and comments as text with their blank lines, and yields the text to send. */
  frames?(frames: AsyncIterable<string>, request: WireRequest): AsyncIterable<string | Uint8Array>;
  /** Ends the connection of an event stream in this way. @default 'end' */
  readonly ending?: 'end' | 'reset' | 'open';
  /** Changes the HTTP server of the layer. */
  server?(server: Server): void;
  /** HTTP parser options of that server. */
  readonly parsing?: ServerOptions;
  /** Treats an incomplete body as complete. */
  readonly takesBrokenBodies?: boolean;
}

export interface MutatingLayer extends AsyncDisposable {
  readonly url: string;
}

/** Starts a proxy that changes requests and responses. */
export async function mutate(upstream: string, wire: Wire): Promise<MutatingLayer> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer(wire.parsing ?? {}, (request, response) => {
    pass(request, response, upstream, wire, agent).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 75_000;
  wire.server?.(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

const UNFIT = ['connection', 'keep-alive', 'transfer-encoding', 'content-length'];

async function pass(incoming: IncomingMessage, response: ServerResponse, upstream: string, wire: Wire, agent: Agent) {
  const original: WireRequest = {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: lines(incoming.rawHeaders),
    body: await whole(incoming, wire.takesBrokenBodies),
  };
  const request = (await wire.request?.(original)) ?? original;
  if ('status' in request) return sendWhole(response, request);
  const forwarded = requestHttp(upstream + request.path, {
    method: request.method,
    agent,
    headers: { ...sendable(request.headers), 'content-length': request.body.length },
  });
  response.once('close', () => forwarded.destroy());
  forwarded.end(request.body);
  const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
  const head = { status: answer.statusCode ?? 0, headers: lines(answer.rawHeaders) };
  if (!answer.headers['content-type']?.startsWith('text/event-stream')) {
    const full: WireAnswer = { ...head, body: await whole(answer) };
    return sendWhole(response, (await wire.answer?.(full, request)) ?? full, incoming.method === 'HEAD');
  }
  await sendStream(response, { ...head, ...wire.head?.(head, request) }, framesOf(answer), request, wire);
}

function sendWhole(response: ServerResponse, { status, headers, body }: WireAnswer, isHead = false): void {
  response.writeHead(status, { ...sendable(headers), ...(!isHead && { 'content-length': body.length }) });
  response.end(isHead ? undefined : body);
}

async function sendStream(
  response: ServerResponse,
  { status, headers }: Omit<WireAnswer, 'body'>,
  frames: AsyncIterable<string>,
  request: WireRequest,
  wire: Wire,
): Promise<void> {
  response.writeHead(status, sendable(headers));
  response.flushHeaders();
  for await (const frame of wire.frames?.(frames, request) ?? frames) {
    if (!response.write(frame)) await drained(response);
    if (response.destroyed) return;
  }
  if (wire.ending === 'reset') response.destroy();
  else if (wire.ending !== 'open') response.end();
}

/** Resolves when the response can be written again, or is closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
    if (response.destroyed) done();
  });
}

/** Yields events and comments as they arrive, each with its blank line. */
async function* framesOf(answer: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  answer.setEncoding('utf8');
  for await (const text of answer) {
    rest += text;
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      yield rest.slice(0, end + 2);
      rest = rest.slice(end + 2);
    }
  }
  if (rest !== '') yield rest;
}

async function whole(message: IncomingMessage, orPart = false): Promise<Buffer> {
  const pieces: Buffer[] = [];
  try {
    for await (const piece of message) pieces.push(piece);
  } catch (error) {
    if (!orPart) throw error;
  }
  return Buffer.concat(pieces);
}

/** Returns headers by name in lower case; repeated headers as an array. */
function lines(raw: readonly string[]): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = {};
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? '').toLowerCase();
    const value = raw[index + 1] ?? '';
    const before = all[name];
    all[name] = before === undefined ? value : [before, value].flat();
  }
  return all;
}

const sendable = (headers: WireRequest['headers']): OutgoingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => !UNFIT.includes(name) && value !== undefined));

/** Returns whether a request is for `/{env}/<action>` or `/<action>`. */
export const isFor = ({ path }: WireRequest, action: string): boolean =>
  new RegExp(`^(/[^/?]+)?/${action}/?(\\?|$)`).test(path);

/** Changes the JSON responses of one action. */
export const changedJson =
  (
    action: string,
    change: (json: never, request: WireRequest) => unknown,
    onlyStatus = 200,
  ): NonNullable<Wire['answer']> =>
  (answer, request) => {
    if (!isFor(request, action) || answer.status !== onlyStatus) return answer;
    return {
      ...answer,
      body: Buffer.from(JSON.stringify(change(JSON.parse(answer.body.toString()) as never, request))),
    };
  };

/** Changes the frames of event streams one by one; null drops one. */
export const changedFrames = (
  change: (frame: string, request: WireRequest) => string | Uint8Array | null,
): NonNullable<Wire['frames']> =>
  async function* (frames, request) {
    for await (const frame of frames) {
      const changed = change(frame, request);
      if (changed !== null) yield changed;
    }
  };

/** Changes the JSON results of calls; for results that fit into one event. */
export const changedResult = (change: (result: never, request: WireRequest) => unknown): NonNullable<Wire['frames']> =>
  changedFrames((frame, request) => {
    const [, data] = /^event: end\ndata: (.*)\n\n$/.exec(frame) ?? [];
    if (data === undefined || !isFor(request, 'call')) return frame;
    let result: never;
    try {
      result = JSON.parse(data) as never;
    } catch {
      return frame;
    }
    return `event: end\ndata: ${JSON.stringify(change(result, request))}\n\n`;
  });

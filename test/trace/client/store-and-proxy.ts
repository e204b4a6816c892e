import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Block, StitchedTrace } from '../../../generated/trace.ts';
import { type ServeTracesOptions, serveTraces } from '../../../src/trace/api/index.ts';
import { createTraceClient, type TraceClientOptions, type TraceError } from '../../../src/trace/client/index.ts';
import { createMemoryStore } from '../../../src/trace/store/index.ts';
import { freePort } from '../../support/free-ports.ts';

/** An error that a client has reported. */
export interface ReportedError {
  readonly error: TraceError;
  readonly id: string;
  readonly trace_id: string;
}

/** Starts a store with its HTTP API, which can stop and restart with the same data. */
export async function startStore(options: Pick<ServeTracesOptions, 'needsKeys'> = {}) {
  const store = createMemoryStore();
  const serve = (port: number) => serveTraces({ store, port, metrics: false, validateResponses: true, ...options });
  let server = await serve(await freePort());
  const { url, port } = server;
  return {
    url,
    store,
    stop: () => server.close(),
    async start() {
      server = await serve(port);
    },
    async blocks(traceId: string): Promise<Block[]> {
      return (await store.blocks('default', traceId)).map(({ block }) => block);
    },
    async stitched(traceId: string): Promise<StitchedTrace> {
      const answer = await fetch(`${url}/v1/organizations/default/traces/${traceId}/blocks.stitched?assemble=true`);
      return (await answer.json()) as StitchedTrace;
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await store.close();
    },
  };
}

export type Store = Awaited<ReturnType<typeof startStore>>;

/** Creates a client that collects its reported errors. */
export function connect(url: string, options: TraceClientOptions = {}) {
  const reported: ReportedError[] = [];
  const client = createTraceClient({ url, onError: (error, place) => reported.push({ error, ...place }), ...options });
  return Object.assign(client, { reported });
}

/** Action of a proxy: forward the request; respond instead of the store; cut the connection before or after the store. */
export type Fault = 'pass' | 'busy' | 'unavailable' | 'cut-before' | 'cut-after';

export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
  /** Number of requests to the same path that were in progress when this one arrived. */
  readonly together: number;
}

/** Starts a proxy in front of a store that records all requests and handles each with the given action. */
export async function startProxy(target: string, faultOf: (exchange: Exchange) => Fault = () => 'pass') {
  const exchanges: Exchange[] = [];
  const inProgress = new Map<string, number>();
  const server = createServer((request, response) => void forward(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url: path = '' } = request;
    const together = inProgress.get(path) ?? 0;
    const exchange = { method, path, body: Buffer.concat(chunks), together };
    exchanges.push(exchange);
    inProgress.set(path, together + 1);
    try {
      await answer(exchange, request, response);
    } finally {
      inProgress.set(path, (inProgress.get(path) ?? 1) - 1);
    }
  }

  async function answer(exchange: Exchange, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = faultOf(exchange);
    if (fault === 'cut-before') return void request.socket.destroy();
    if (fault === 'busy') return void response.writeHead(429, { 'retry-after': '0.05' }).end();
    if (fault === 'unavailable') return void response.writeHead(503).end('no store here');
    const { method, path, body } = exchange;
    const headers = new Headers({ 'content-type': request.headers['content-type'] ?? 'application/json' });
    const key = request.headers['x-api-key'];
    if (typeof key === 'string') headers.set('x-api-key', key);
    const got = await fetch(target + path, {
      method,
      headers,
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const bytes = Buffer.from(await got.arrayBuffer());
    if (fault === 'cut-after') return void request.socket.destroy();
    response.writeHead(got.status, { 'content-type': got.headers.get('content-type') ?? 'text/plain' }).end(bytes);
  }

  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    /** Blocks of each append request. */
    batches: () =>
      exchanges
        .filter(({ path }) => path.endsWith('/blocks'))
        .map(({ body }) => (JSON.parse(body.toString()) as { blocks: Block[] }).blocks),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Collects unhandled rejections until it is disposed. */
export function watchRejections() {
  const rejections: unknown[] = [];
  const listener = (reason: unknown) => void rejections.push(reason);
  process.on('unhandledRejection', listener);
  return { rejections, [Symbol.dispose]: () => void process.off('unhandledRejection', listener) };
}

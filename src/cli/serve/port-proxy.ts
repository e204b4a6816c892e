import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { guardSockets, oneAtATime, type RequestHandler } from '../../http/index.ts';
import type { ListenAddress } from './port.ts';

/** Longest time that connections are queued. */
const HOLD_MS = 5_000;

/** A port that stays open while the server process behind it changes. */
export type PortProxy = Awaited<ReturnType<typeof openPortProxy>>;

/** @throws Error with the code of the operating system. */
export async function openPortProxy({ port, host }: ListenAddress, holdMs = HOLD_MS) {
  let target: ((socket: Socket) => void) | undefined;
  let waiting: Socket[] = [];
  let holdTimer: NodeJS.Timeout | undefined;
  const accept = (socket: Socket) => {
    if (target) target(socket);
    else waiting.push(socket);
  };
  const forwardTo = (next: (socket: Socket) => void) => {
    clearTimeout(holdTimer);
    target = next;
    const queued = waiting;
    waiting = [];
    queued.forEach(next);
  };
  const rejectAll = (detail: string) => {
    const http = createRejectingServer(detail);
    forwardTo((socket) => {
      http.emit('connection', socket);
      socket.resume();
    });
  };
  // Paused: the process that gets the connection has to read all of it.
  const listener = guardSockets(createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, accept));
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, resolve);
  });
  const { address, family, port: actual } = listener.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    /** Forwards or queues a connection. */
    accept,
    /** Forwards the queued connections and all further ones. */
    forwardTo,
    /** Queues connections, for a limited time. */
    queue() {
      target = undefined;
      clearTimeout(holdTimer);
      holdTimer = setTimeout(rejectAll, holdMs, 'nothing is served yet: the environments are still loading; try again');
    },
    /** Responds to every request with 503 and this detail. */
    rejectAll,
    close() {
      clearTimeout(holdTimer);
      listener.close();
      for (const socket of waiting) socket.destroy();
    },
  };
}

function createRejectingServer(detail: string) {
  const reject: RequestHandler = (request, response) => {
    request.resume();
    response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1', Connection: 'close' });
    response.end(JSON.stringify({ detail }));
  };
  return guardSockets(createHttpServer(oneAtATime(reject)));
}

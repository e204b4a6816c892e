import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { guardSockets, oneAtATime, type RequestHandler } from '../../http/index.ts';
import type { ListenAddress } from './port.ts';

/** How long connections may wait before they are refused. */
const HOLD_MS = 5_000;

/** A port that stays open; its connections go to whoever serves at the time. */
export interface PortProxy {
  readonly url: string;
  /** Takes a connection in, as if it had just come. */
  readonly accept: (socket: Socket) => void;
  /** Sends all connections there from now on, those that wait first. */
  readonly forwardTo: (take: (socket: Socket) => void) => void;
  /** Lets connections wait, for a while. */
  readonly queue: () => void;
  /** Answers every request with 503 and this. */
  readonly rejectAll: (detail: string) => void;
  readonly close: () => void;
}

/** @throws Error with the code of what the operating system refused. */
export async function openPortProxy({ port, host }: ListenAddress, holdMs = HOLD_MS): Promise<PortProxy> {
  let take: ((socket: Socket) => void) | undefined;
  let waiting: Socket[] = [];
  let holdTimer: NodeJS.Timeout | undefined;
  const admit = (socket: Socket) => {
    if (take) take(socket);
    else waiting.push(socket);
  };
  const leadTo = (next: (socket: Socket) => void) => {
    clearTimeout(holdTimer);
    take = next;
    const first = waiting;
    waiting = [];
    first.forEach(next);
  };
  const refuse = (detail: string) => {
    const http = refuser(detail);
    leadTo((socket) => {
      http.emit('connection', socket);
      socket.resume();
    });
  };
  // A connection is not read from here: the process that it goes to has to see all of it.
  const listener = guardSockets(createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, admit));
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, resolve);
  });
  const { address, family, port: actual } = listener.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    accept: admit,
    forwardTo: leadTo,
    queue() {
      take = undefined;
      clearTimeout(holdTimer);
      holdTimer = setTimeout(refuse, holdMs, 'nothing is served yet: the environments still load; try again');
    },
    rejectAll: refuse,
    close() {
      clearTimeout(holdTimer);
      listener.close();
      for (const socket of waiting) socket.destroy();
    },
  };
}

function refuser(detail: string) {
  const refuse: RequestHandler = (request, response) => {
    request.resume();
    response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1', Connection: 'close' });
    response.end(JSON.stringify({ detail }));
  };
  return guardSockets(createHttpServer(oneAtATime(refuse)));
}

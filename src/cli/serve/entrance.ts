import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Address } from './port.ts';

/** A port that stays open; its connections go to whoever serves at the time. */
export interface Entrance {
  readonly url: string;
  /** Takes a connection in, as if it had just come. */
  readonly admit: (socket: Socket) => void;
  /** Sends all connections there from now on, those that wait first. */
  readonly leadTo: (take: (socket: Socket) => void) => void;
  /** Lets connections wait. */
  readonly hold: () => void;
  /** Answers every request with 503 and this. */
  readonly refuse: (detail: string) => void;
  readonly close: () => void;
}

/** @throws Error with the code of what the operating system refused. */
export async function openEntrance({ port, host }: Address): Promise<Entrance> {
  let take: ((socket: Socket) => void) | undefined;
  let waiting: Socket[] = [];
  const admit = (socket: Socket) => {
    if (take) take(socket);
    else waiting.push(socket);
  };
  const leadTo = (next: (socket: Socket) => void) => {
    take = next;
    const first = waiting;
    waiting = [];
    first.forEach(next);
  };
  // A connection is not read from here: the process that it goes to has to see all of it.
  const listener = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, admit);
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(port, host, resolve);
  });
  const { address, family, port: actual } = listener.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    admit,
    leadTo,
    hold() {
      take = undefined;
    },
    refuse(detail) {
      const http = refuser(detail);
      leadTo((socket) => {
        http.emit('connection', socket);
        socket.resume();
      });
    },
    close() {
      listener.close();
      for (const socket of waiting) socket.destroy();
    },
  };
}

function refuser(detail: string) {
  return createHttpServer((request, response) => {
    request.resume();
    response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '1', Connection: 'close' });
    response.end(JSON.stringify({ detail }));
  });
}

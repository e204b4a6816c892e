import type { Server } from 'node:net';
import type { Duplex } from 'node:stream';

/** How long a client may take to read a refusal and to stop sending, before its connection is destroyed. */
const LINGER_MS = 1_000;

const openSockets = new WeakMap<Server, Set<Duplex>>();

/**
 * Gives every socket of a server an error listener from the moment it is accepted, and keeps the open ones for
 * `destroySockets`.
 *
 * Node removes its own listeners from a socket that it hands out (`connect`, `upgrade`) and forgets the socket: a reset
 * by the client would then be an uncaught exception, and nothing would ever close a connection that the client keeps
 * half open.
 */
export function guardSockets<T extends Server>(server: T): T {
  const sockets = new Set<Duplex>();
  openSockets.set(server, sockets);
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket);
    // A failed connection is closed by Node; requests and responses learn of it from their own `close` event.
    socket.on('error', ignoreError);
    socket.once('close', () => sockets.delete(socket));
  });
  return server;
}

const ignoreError = (): void => {};

/** Destroys every open socket of a guarded server, also those that Node has handed out. */
export function destroySockets(server: Server): void {
  for (const socket of openSockets.get(server) ?? []) socket.destroy();
}

/**
 * Ends a connection so that the client can read the last response: the sending half is closed, input is discarded for up
 * to a second, then the socket is destroyed. Destroying it at once would reset the connection, and a client that is still
 * sending would lose the response.
 */
export function lingeringClose(socket: Duplex, lastBytes?: string): void {
  socket.end(lastBytes);
  socket.resume();
  destroySoon(socket);
}

/** Destroys a socket after a second, if it is not closed by then. */
export function destroySoon(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

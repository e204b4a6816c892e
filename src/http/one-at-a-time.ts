import { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from './request-handler.ts';

/** The most requests that may be pipelined behind the one being answered; one more closes the connection. */
const MAX_PIPELINED = 256;

const pipelined = new WeakMap<Socket, number>();

/**
 * Handles the requests of a connection one at a time, in order. Node hands pipelined requests on at once and queues their
 * responses, but a queued response is never closed when its connection dies: its stream, its heartbeat and whatever the
 * handler holds would leak. A request that waits here for its turn holds nothing.
 *
 * Requests on a connection that is closing are dropped. Node still parses what arrives behind a response that closes the
 * connection, and one of its assertions ends the process if such a request is answered.
 */
export function oneAtATime(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    const { socket } = request;
    if (isClosing(socket)) return;
    if (!isQueued(response)) return handler(request, response, next);
    const waiting = (pipelined.get(socket) ?? 0) + 1;
    if (waiting > MAX_PIPELINED) return void socket.destroy();
    pipelined.set(socket, waiting);
    const handle = () => {
      pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1);
      if (!isClosing(socket)) handler(request, response, next);
    };
    // Node assigns the socket to a response when the one before it has been sent.
    response.once('socket', AsyncResource.bind(handle));
  };
}

/** The response whose turn it is on a connection; undefined if no request is being answered. */
export const currentResponse = (socket: object): ServerResponse | undefined =>
  (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;

const isClosing = ({ destroyed, writableEnded }: Socket): boolean => destroyed === true || writableEnded === true;

const isQueued = ({ socket, req }: ServerResponse): boolean =>
  socket === null && req !== undefined && currentResponse(req.socket) !== undefined;

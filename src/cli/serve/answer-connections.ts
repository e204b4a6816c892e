import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { sleep } from '../../core/index.ts';
import { createHttpServer, type OrsServer, type ServerOptions } from '../../server/index.ts';

// Counted in steps and not by a clock: in each step the requests that have come are read, however slow the machine is.
const STEP_MS = 20;
/** How long a connection that is kept open may still bring a request, whose answer then closes it. */
const DRAIN_STEPS = 50;
/** How long answers under way may take. */
const ANSWER_STEPS = 250;

export interface ConnectionServer {
  readonly accept: (socket: Socket) => void;
  /** Lets each connection go with its next answer. Resolves when all are gone, or have had their time. */
  readonly drain: () => Promise<void>;
  /** Resolves when nobody is left who waits for an answer, or all have had their time. */
  readonly waitForResponses: () => Promise<void>;
}

/** Has a server answer on connections that something else accepted. */
export function serveConnections(server: OrsServer, options: ServerOptions): ConnectionServer {
  const http = createHttpServer(server, options);
  const answering = new Map<ServerResponse, Socket>();
  let open = 0;
  let isDraining = false;
  const track = ({ socket }: IncomingMessage, response: ServerResponse) => {
    answering.set(response, socket);
    response.once('close', () => answering.delete(response));
    if (isDraining) response.setHeader('Connection', 'close');
  };
  http.prependListener('request', track).prependListener('checkContinue', track);
  const wait = async (isOver: () => boolean, steps: number) => {
    // What is on its way here is seen after one step at the latest.
    for (let step = 0; step < steps && (step === 0 || !isOver()); step++) await sleep(STEP_MS);
  };
  const answered = () => wait(() => answering.size === 0, ANSWER_STEPS);
  return {
    accept(socket) {
      open++;
      socket.once('close', () => open--);
      // A client may end its half once it has asked.
      socket.allowHalfOpen = true;
      http.emit('connection', socket);
      socket.resume();
    },
    async drain() {
      isDraining = true;
      // Those said already that their connection stays open.
      for (const [response, socket] of answering) response.once('finish', () => socket.end());
      await wait(() => open === 0, DRAIN_STEPS);
      await answered();
    },
    waitForResponses: answered,
  };
}

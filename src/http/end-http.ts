import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { settlesWithin } from '../core/index.ts';
import { destroySockets } from './sockets.ts';

/** How long the last answers may take to be read. */
const LAST_ANSWERS_MS = 500;
const STEP_MS = 20;

/** Has every answer from now on close its connection, so that clients and proxies open no more to here than they must. */
export function closeAfterAnswers(http: Server): void {
  const close = (_request: IncomingMessage, response: ServerResponse) => response.setHeader('Connection', 'close');
  http.prependListener('request', close).prependListener('checkContinue', close);
}

/** Stops listening; once the server has ended, lets the last answers be read, and closes all connections. */
export async function endHttp(http: Server, ending: Promise<void>): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  await ending;
  // A connection becomes idle when its answer is sent.
  const sweeper = setInterval(() => http.closeIdleConnections(), STEP_MS);
  await settlesWithin(LAST_ANSWERS_MS, closed);
  clearInterval(sweeper);
  destroySockets(http);
  await closed;
}

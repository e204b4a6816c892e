import type { IncomingMessage } from 'node:http';
import { notedOperation, type RequestHandler } from '../../http/index.ts';
import type { Observer } from './observer.ts';
import { runWatched } from './run-watched.ts';

export interface KnownNames {
  /** The path of an operation in the document. */
  readonly routeOf: (operationId: string) => string | undefined;
  /** The environment of a session that there is. */
  readonly environmentOf: (sid: string) => string | undefined;
  /** An environment's own name, case aside; undefined if there is none. */
  readonly environmentNamed: (name: string) => string | undefined;
}

/** Has an observer watch each request from its first word to the end of its answer, whichever entrance it takes. */
export function observeRequests(handler: RequestHandler, observer: Observer, known: KnownNames): RequestHandler {
  return (request, response, next) => {
    const watch = observer.request({ method: request.method ?? '', headers: request.headers });
    if (!watch) return handler(request, response, next);
    const sid = sessionIdOf(request);
    // A session that this request ends is not to be found afterwards.
    const before = sid === undefined ? undefined : known.environmentOf(sid);
    response.on('close', () => {
      const { operationId, path } = notedOperation(response) ?? {};
      const own = before ?? (sid === undefined ? undefined : known.environmentOf(sid));
      const named = typeof path?.env_name === 'string' ? known.environmentNamed(path.env_name) : undefined;
      watch.ended({
        operation: operationId,
        route: operationId === undefined ? undefined : known.routeOf(operationId),
        status: response.statusCode,
        isComplete: response.writableFinished,
        sid: own === undefined ? undefined : sid,
        environment: named ?? own,
      });
    });
    return runWatched(watch, () => handler(request, response, next));
  };
}

function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const sid = headers['x-session-id'];
  return typeof sid === 'string' ? sid.trim() : undefined;
}

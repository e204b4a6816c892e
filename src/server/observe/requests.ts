import type { IncomingMessage, ServerResponse } from 'node:http';
import { admittedCaller, type RequestHandler, recordedOperation } from '../../http/index.ts';
import type { Observer, RequestEnd } from './observer.ts';
import { runInSpan } from './run-watched.ts';

export interface NameResolver {
  /** The path of an operation in the document. */
  readonly routeOf: (operationId: string) => string | undefined;
  /** The environment of a caller's session that there is, or that is remembered. */
  readonly environmentOf: (sid: string, caller: string | undefined) => string | undefined;
  /** An environment's own name, case aside; undefined if there is none. */
  readonly environmentNamed: (name: string) => string | undefined;
}

/** Has an observer watch each request from its first word to the end of its answer, whichever entrance it takes. */
export function observeRequests(handler: RequestHandler, observer: Observer, known: NameResolver): RequestHandler {
  return (request, response, next) => {
    const watch = observer.request({ method: request.method ?? '', headers: request.headers });
    if (!watch) return handler(request, response, next);
    response.on('close', () => watch.ended(new ObservedRequestEnd(request, response, known)));
    return runInSpan(watch, () => handler(request, response, next));
  };
}

/** What nobody asks for is not looked up. */
class ObservedRequestEnd implements RequestEnd {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #known: NameResolver;

  constructor(request: IncomingMessage, response: ServerResponse, known: NameResolver) {
    this.#request = request;
    this.#response = response;
    this.#known = known;
  }

  get operation(): string | undefined {
    return recordedOperation(this.#response)?.operationId;
  }

  get route(): string | undefined {
    return this.operation === undefined ? undefined : this.#known.routeOf(this.operation);
  }

  get status(): number {
    return this.#response.statusCode;
  }

  get isComplete(): boolean {
    return this.#response.writableFinished;
  }

  get sid(): string | undefined {
    return this.#ofSession === undefined ? undefined : sessionIdOf(this.#request);
  }

  get environment(): string | undefined {
    const named = recordedOperation(this.#response)?.path.env_name;
    return (typeof named === 'string' ? this.#known.environmentNamed(named) : undefined) ?? this.#ofSession;
  }

  get #ofSession(): string | undefined {
    const sid = sessionIdOf(this.#request);
    return sid === undefined ? undefined : this.#known.environmentOf(sid, admittedCaller(this.#request));
  }
}

function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const sid = headers['x-session-id'];
  return typeof sid === 'string' ? sid.trim() : undefined;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppOptions } from './app.ts';
import { describedOperation } from './described-operation.ts';
import { failure } from './pipeline.ts';
import type { RequestHandler } from './request-handler.ts';
import { sendOutcome } from './send-outcome.ts';

/** A second after the start, who waited for the first answers has them. */
const LOAD_AFTER_MS = 1_000;

export interface LazyAppOptions extends AppOptions {
  /** Told when loading begins, for it blocks the event loop; what comes back is told of the end. */
  readonly watchLoading?: () => () => void;
}

export interface LazyApp {
  readonly handler: RequestHandler;
  /** Begins no more to load, and waits for what has begun. */
  close(): Promise<void>;
}

/**
 * The Express application, loaded by the first request that needs it, or else a second after the start: Express and its
 * validator take longer to load than all the rest of a server. Requests wait for it, their bodies unread.
 *
 * @throws TypeError if the document cannot be read.
 */
export function lazyApp(options: LazyAppOptions): LazyApp {
  for (const operationId of Object.keys(options.operations)) describedOperation(options.document, operationId);
  let app: RequestHandler | undefined;
  let loading: Promise<void> | undefined;
  const load = () => {
    clearTimeout(timer);
    loading ??= loadApp(options)
      .then((loaded) => {
        app = loaded;
      })
      .finally(() => {
        // After a failure, for example because no file could be opened, the next request tries again.
        loading = undefined;
      });
    return loading;
  };
  const timer = setTimeout(() => load().catch(options.onError), LOAD_AFTER_MS).unref();
  const handler: RequestHandler = (request, response, next) => {
    request.url = pathOf(request.url);
    if (app) return app(request, response, next);
    load()
      .then(() => response.closed || app?.(request, response, next))
      .catch((error) =>
        sendOutcome(response, failure(error, options.onError, request.url, options.describeFailure), options),
      );
  };
  return {
    handler,
    async close() {
      clearTimeout(timer);
      await loading?.catch(() => {});
    },
  };
}

/**
 * The path and query of a request target: clients that take this server for a proxy send the whole URL, perhaps without a
 * path or with a host that cannot be parsed, and Express would answer those with a page of its own.
 */
function pathOf(target = '/'): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Not all in one go, for which everything else would wait. */
async function loadApp(options: LazyAppOptions): Promise<RequestHandler> {
  const loaded = options.watchLoading?.();
  try {
    await import('express');
    await nextTurn();
    await import('express-openapi-validator');
    await nextTurn();
    const { createApp } = await import('./app.ts');
    const { expressHandler } = await import('./express-messages.ts');
    const app = expressHandler(createApp(options));
    // By then the validator has read the document.
    await nextTurn();
    return app;
  } finally {
    loaded?.();
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AppOptions } from './express-app.ts';
import { expressHandler } from './express-prototypes.ts';
import type { RequestHandler } from './node-server.ts';
import { describedOperation } from './openapi-operation.ts';
import { failure } from './pipeline.ts';
import { sendResponse } from './send-response.ts';

/** By then the first requests after the start have been answered. */
const LOAD_AFTER_MS = 1_000;

export interface LazyAppOptions extends AppOptions {
  /** Called when loading starts, which blocks the event loop; the returned function is called at its end. */
  readonly watchLoading?: () => () => void;
}

export type LazyApp = ReturnType<typeof lazyApp>;

/**
 * Returns a handler that loads the Express application with the first request that needs it, or a second after the start:
 * Express and its validator take longer to load than the rest of a server. Requests wait meanwhile, with unread bodies.
 *
 * @throws TypeError if the document cannot be read.
 */
export function lazyApp(options: LazyAppOptions) {
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
        // After a failure, for example without file descriptors, the next request retries.
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
        sendResponse(response, failure(error, options.onError, request.url, options.describeFailure), options),
      );
  };
  return {
    handler,
    /** Cancels pending loading, or waits for it if it has started. */
    async close() {
      clearTimeout(timer);
      await loading?.catch(() => {});
    },
  };
}

/**
 * Returns the path and query of a request target. Clients that treat this server as a proxy send a whole URL, perhaps
 * without a path or with an invalid host, which Express would answer with its own error page.
 */
function pathOf(target = '/'): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Loads in steps, so that other requests are handled in between. */
async function loadApp(options: LazyAppOptions): Promise<RequestHandler> {
  const loaded = options.watchLoading?.();
  try {
    await import('express');
    await nextTurn();
    await import('express-openapi-validator');
    await nextTurn();
    const { createApp } = await import('./express-app.ts');
    const app = expressHandler(createApp(options));
    // The validator reads the document in this turn.
    await nextTurn();
    return app;
  } finally {
    loaded?.();
  }
}

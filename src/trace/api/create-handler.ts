import { randomUUID } from 'node:crypto';
import { document } from '../../../generated/trace-api-document.ts';
import { operations } from '../../../generated/trace-api-operations.ts';
import { validators } from '../../../generated/trace-validators.ts';
import {
  cors,
  createPipeline,
  direct,
  guardHost,
  type LazyApp,
  lazyApp,
  oneAtATime,
  type Pipeline,
  type RequestHandler,
  recordedOperation,
  type SendOptions,
} from '../../http/index.ts';
import { createViewer } from '../../viewer/server/index.ts';
import { authenticateKeys } from './caller.ts';
import type { ApiContext } from './context.ts';
import { describeFailure } from './describe-failure.ts';
import { traceOperationHandlers } from './operations/index.ts';
import { mapStoreErrors } from './refusals.ts';

export interface TraceHandlerOptions extends SendOptions {
  readonly needsKeys: boolean;
  /** Where only this machine is served: the names by which requests may call, besides local ones. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly corsOrigins: readonly string[];
  /** Holds JSON answers against the document too. */
  readonly validateResponses: boolean;
  readonly onError: (error: unknown) => void;
  /** Whether people are shown the traces, at /ui/. */
  readonly viewer: boolean;
}

/** The one way from an accepted request to its outcome. */
export const createTracePipeline = (context: ApiContext, onError: (error: unknown) => void): Pipeline =>
  createPipeline<ApiContext>({
    handlers: mapStoreErrors<ApiContext>(traceOperationHandlers),
    context,
    // Handlers check bodies themselves, and what their JSON text loses.
    tolerates: () => true,
    onError,
    describeFailure,
  });

/** The way of a request: named, counted, held against who may ask, by one of two entrances into the pipeline. */
export function createTraceHandler(context: ApiContext, pipeline: Pipeline, options: TraceHandlerOptions): LazyApp {
  const { needsKeys, allowedHosts, corsOrigins, validateResponses, viewer: isShown, ...send } = options;
  const shared = {
    ...send,
    document,
    operations,
    pipeline,
    admit: needsKeys ? authenticateKeys(context.store, context.openResponses) : undefined,
    bodyLimitBytes: context.limits.request,
    handlersCheckBodies: true,
    describeFailure,
  };
  const app = lazyApp({
    ...shared,
    strictQuery: true,
    ...(isShown && createViewer({ environments: false, traces: true })),
    validateResponses,
  });
  const proxy = validateResponses ? app.handler : direct({ ...shared, validators, fallback: app.handler });
  const exposedHeaders = ['X-Request-Id', 'Retry-After', 'ETag'];
  const withCors = corsOrigins.length > 0 ? cors(proxy, { origins: corsOrigins, exposedHeaders, operations }) : proxy;
  const guarded = allowedHosts
    ? guardHost(withCors, { hosts: allowedHosts, origins: corsOrigins }, () => {}, describeFailure)
    : withCors;
  const handler: RequestHandler = (request, response, next) => {
    const since = performance.now();
    response.setHeader('X-Request-Id', randomUUID());
    if (needsKeys) context.openResponses.begin(request, response);
    response.once('close', () => {
      const operation = recordedOperation(response)?.operationId ?? 'none';
      context.metrics?.request(operation, response.statusCode, (performance.now() - since) / 1_000);
    });
    guarded(request, response, next);
  };
  return { handler: oneAtATime(handler), close: app.close };
}

import { randomUUID } from 'node:crypto';
import type { operations as TraceOperations } from '../../../generated/trace-api.ts';
import { document } from '../../../generated/trace-api-document.ts';
import { operations } from '../../../generated/trace-api-operations.ts';
import { validators } from '../../../generated/trace-validators.ts';
import {
  cors,
  createFastPath,
  createPipeline,
  guardHost,
  type Handlers,
  type LazyApp,
  lazyApp,
  oneAtATime,
  type Pipeline,
  type RequestHandler,
  recordedOperation,
  type SendOptions,
} from '../../http/index.ts';
import { createViewer } from '../../viewer/server/index.ts';
import { authenticateKeys } from './authenticate.ts';
import type { ApiContext } from './context.ts';
import { describeFailure, mapStoreErrors } from './errors.ts';
import { blockHandlers } from './operations/blocks.ts';
import { rolloutHandlers } from './operations/rollouts.ts';
import { runHandlers, traceHandlers, traceServiceHandlers } from './operations/traces.ts';
import { transferHandlers } from './operations/transfer.ts';

interface TraceHandlerOptions extends SendOptions {
  readonly needsKeys: boolean;
  /** Host names that requests may use in addition to local ones; undefined disables the check. */
  readonly allowedHosts: readonly string[] | undefined;
  readonly corsOrigins: readonly string[];
  /** Validates JSON responses against the OpenAPI document. */
  readonly validateResponses: boolean;
  readonly onError: (error: unknown) => void;
  /** Serves the viewer at /ui/. */
  readonly viewer: boolean;
}

/** Creates the pipeline that carries out every valid request. */
export const createTracePipeline = (context: ApiContext, onError: (error: unknown) => void): Pipeline =>
  createPipeline<ApiContext>({
    handlers: mapStoreErrors<ApiContext>(traceOperationHandlers),
    context,
    // Handlers validate bodies themselves, including numbers that lost precision.
    tolerates: () => true,
    onError,
    describeFailure,
  });

/**
 * Creates the handler of all requests: request id, metrics, host check, CORS and API keys, then the fast path or Express,
 * which both end in the pipeline.
 */
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
  const entry = validateResponses ? app.handler : createFastPath({ ...shared, validators, fallback: app.handler });
  const exposedHeaders = ['X-Request-Id', 'Retry-After', 'ETag'];
  const withCors = corsOrigins.length > 0 ? cors(entry, { origins: corsOrigins, exposedHeaders, operations }) : entry;
  const guarded = allowedHosts
    ? guardHost(withCors, { hosts: allowedHosts, origins: corsOrigins }, () => {}, describeFailure)
    : withCors;
  const tracked = needsKeys ? context.openResponses.track(guarded) : guarded;
  const handler: RequestHandler = (request, response, next) => {
    const startedAt = performance.now();
    response.setHeader('X-Request-Id', randomUUID());
    response.once('close', () => {
      const operation = recordedOperation(response)?.operationId ?? 'none';
      context.metrics?.request(operation, response.statusCode, (performance.now() - startedAt) / 1_000);
    });
    tracked(request, response, next);
  };
  return { handler: oneAtATime(handler), close: app.close };
}

const traceOperationHandlers: Handlers<TraceOperations, ApiContext> = {
  ...traceHandlers,
  ...blockHandlers,
  ...runHandlers,
  ...transferHandlers,
  ...rolloutHandlers,
  ...traceServiceHandlers,
};

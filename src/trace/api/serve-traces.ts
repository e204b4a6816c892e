import { randomUUID } from 'node:crypto';
import { errorStack, isLoopbackHost } from '../../core/index.ts';
import {
  addressOf,
  createNodeServer,
  endHttp,
  listen,
  NO_DESCRIPTORS,
  OpenResponses,
  type RequestHandler,
  refuseExposure,
  watchDescriptors,
} from '../../http/index.ts';
import { readTraceLimits, type TraceLimits } from '../model/index.ts';
import type { TraceStore } from '../store/index.ts';
import { closeRevokedResponses } from './authenticate.ts';
import { createTraceMetrics } from './context.ts';
import { createTraceHandler, createTracePipeline, type TraceApiOptions } from './create-handler.ts';
import { describeFailure } from './errors.ts';
import { createLocalCall, type LocalCall } from './local-call.ts';
import { createRolloutReceiver } from './rollout-receiver.ts';
import { createSpanReceiver } from './span-receiver.ts';

/**
 * The HTTP API of a trace store.
 *
 * @example
 * const api: TraceApi = createTraceApi(store, { metrics: false });
 * const traces = createClientForApi(createLocalTraceApi(api, 'default'));
 */
export interface TraceApi {
  /** Handles requests of `node:http`, or of an Express application. */
  readonly handler: RequestHandler;
  /** Carries out an operation in this process, without HTTP and keys. */
  readonly call: LocalCall;
  readonly limits: TraceLimits;
  /** Ends all streams; the store stays open. */
  close(): Promise<void>;
}

/**
 * Creates the HTTP API of a store without listening on a port.
 *
 * @throws RangeError for an invalid LIMIT_... environment variable.
 * @example
 * const api = createTraceApi(createMemoryStore());
 * express().use('/traces', api.handler);
 */
export function createTraceApi(store: TraceStore, options: TraceApiOptions = {}): TraceApi {
  const { limits = readTraceLimits(process.env) } = options;
  const metrics = (options.metrics ?? true) ? createTraceMetrics() : undefined;
  const onError = options.onError ?? printError;
  const rolloutReceiver = createRolloutReceiver(store, limits, options.gapMs ?? 60_000, onError);
  rolloutReceiver.flushGaps().catch(onError);
  const descriptors = watchDescriptors((hasSome) => {
    if (!hasSome) onError(new Error(NO_DESCRIPTORS));
  });
  const spanReceiver = createSpanReceiver(store, limits);
  const openResponses = new OpenResponses();
  const context = { store, limits, rolloutReceiver, spanReceiver, metrics, descriptors, openResponses };
  const pipeline = createTracePipeline(context, onError);
  const app = createTraceHandler(context, pipeline, { ...options, onError });
  const unwatchKeys = options.needsKeys ? closeRevokedResponses(store, context.openResponses, onError) : undefined;
  const close = () => {
    unwatchKeys?.();
    rolloutReceiver.close();
    descriptors.close();
    metrics?.close();
    return app.close();
  };
  return { handler: app.handler, call: createLocalCall(pipeline, onError), limits, close };
}

/**
 * Options for `serveTraces`.
 *
 * @example
 * const options: ServeTracesOptions = { store, host: '0.0.0.0', needsKeys: true };
 */
export interface ServeTracesOptions extends TraceApiOptions {
  readonly store: TraceStore;
  /** Port to listen on; 0 chooses a free one. @default 8090 */
  readonly port?: number;
  /** Address to listen on. @default '127.0.0.1', which other machines cannot reach */
  readonly host?: string;
  /** Allows a server without keys that other machines can reach. @default false */
  readonly insecure?: boolean;
}

/**
 * A listening trace server.
 *
 * @example
 * await using server: RunningTraceServer = await serveTraces({ store, port: 0 });
 * const traces = createTraceClient({ url: server.url });
 */
export interface RunningTraceServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Ends all streams and stops listening; the store stays open. */
  close(): Promise<void>;
}

/**
 * Serves a store over HTTP until it is closed.
 *
 * @throws TypeError for a host that other machines can reach, without `needsKeys` or `insecure`.
 * @throws RangeError for an invalid LIMIT_... environment variable.
 * @throws Error with code EADDRINUSE if the port is in use.
 * @example
 * await using server = await serveTraces({ store: await openSqliteStore({ path: 'traces.db' }) });
 * console.log(server.url);
 */
export async function serveTraces({
  store,
  port = 8090,
  host = '127.0.0.1',
  insecure = false,
  ...options
}: ServeTracesOptions): Promise<RunningTraceServer> {
  const hasKeys = options.needsKeys ?? false;
  refuseExposure(
    { host, hasKeys, insecure },
    { danger: 'read and write its traces', keys: '--keys; needsKeys: true', confirm: '--insecure (insecure: true)' },
  );
  const api = createTraceApi(store, { ...(isLoopbackHost(host) && !hasKeys && { allowedHosts: [] }), ...options });
  const http = createNodeServer(api.handler, {
    bodyLimitBytes: api.limits.request,
    headerLimitBytes: 16 * 1024,
    headersTimeoutMs: 20_000,
    requestTimeoutMs: 120_000,
    describeFailure,
    refusalHeaders: () => ({ 'X-Request-Id': randomUUID() }),
  });
  await listen(http, port, host);
  const close = async () => {
    await endHttp(http, api.close());
  };
  return { ...addressOf(http), close, [Symbol.asyncDispose]: close };
}

function printError(error: unknown): void {
  process.stderr.write(`ors traces: internal error: ${errorStack(error)}\n`);
}

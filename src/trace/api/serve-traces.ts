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
import { createLocalCall, type LocalCall } from './call-locally.ts';
import { closeRevokedResponses } from './caller.ts';
import { createTraceHandler, createTracePipeline } from './create-handler.ts';
import { describeFailure } from './describe-failure.ts';
import { createTraceMetrics } from './metrics.ts';
import { createRolloutReceiver } from './rollouts/receive.ts';

export interface TraceApiOptions {
  /** Default: those of the environment's LIMIT_... variables. */
  readonly limits?: TraceLimits;
  /** Whether every request needs an API key of the store. Default: false. */
  readonly needsKeys?: boolean;
  /** Host names, besides local ones and addresses, by which requests may call this server. Default: any. */
  readonly allowedHosts?: readonly string[];
  /** Origins whose pages may use this server. Default: none. */
  readonly corsOrigins?: readonly string[];
  /** Default: true. */
  readonly metrics?: boolean;
  /** A silent stream gets a comment this often, in milliseconds. Default: 15 000. */
  readonly heartbeatMs?: number;
  /** A reader that takes nothing of what waits for it for this time, in milliseconds, is disconnected. Default: 120 000. */
  readonly stalledReaderMs?: number;
  /** How long a message of the OpenReward client waits for those before it, in milliseconds. Default: 60 000. */
  readonly gapMs?: number;
  /** Told of what failed in the server itself. Default: one line on standard error. */
  readonly onError?: (error: unknown) => void;
  /** Shows people the traces, at /ui/. Default: true. */
  readonly viewer?: boolean;
  /** Holds JSON answers against the document too. For tests. Default: false. */
  readonly validateResponses?: boolean;
}

export interface TraceApi {
  /** Answers requests; for `node:http`, or under a path of an Express application. */
  readonly handler: RequestHandler;
  /** Asks it from within the process, past HTTP and keys. */
  readonly call: LocalCall;
  readonly limits: TraceLimits;
  close(): Promise<void>;
}

/** The HTTP API over a store; it listens nowhere yet. Closing it leaves the store open. */
export function createTraceApi(store: TraceStore, options: TraceApiOptions = {}): TraceApi {
  const { limits = readTraceLimits(process.env), metrics: areWanted = true } = options;
  const metrics = areWanted ? createTraceMetrics() : undefined;
  const onError = options.onError ?? tell;
  const rolloutReceiver = createRolloutReceiver(store, limits, options.gapMs ?? 60_000, onError);
  rolloutReceiver.flushGaps().catch(onError);
  const descriptors = watchDescriptors((hasSome) => {
    if (!hasSome) onError(new Error(NO_DESCRIPTORS));
  });
  const context = { store, limits, rolloutReceiver, metrics, descriptors, openResponses: new OpenResponses() };
  const pipeline = createTracePipeline(context, onError);
  const proxy = createTraceHandler(context, pipeline, {
    needsKeys: options.needsKeys ?? false,
    allowedHosts: options.allowedHosts,
    corsOrigins: options.corsOrigins ?? [],
    heartbeatMs: options.heartbeatMs ?? 15_000,
    stalledReaderMs: options.stalledReaderMs ?? 120_000,
    validateResponses: options.validateResponses ?? false,
    viewer: options.viewer ?? true,
    onError,
  });
  const unwatchKeys = options.needsKeys ? closeRevokedResponses(store, context.openResponses, onError) : undefined;
  const close = () => {
    unwatchKeys?.();
    rolloutReceiver.close();
    descriptors.close();
    metrics?.close();
    return proxy.close();
  };
  return { handler: proxy.handler, call: createLocalCall(pipeline, onError), limits, close };
}

export interface ServeTracesOptions extends TraceApiOptions {
  readonly store: TraceStore;
  /** Default: 8090; 0 takes a free one. */
  readonly port?: number;
  /** Default: 127.0.0.1, which only this machine reaches. */
  readonly host?: string;
  /** Whether a server that other machines reach may do without keys. Default: false. */
  readonly insecure?: boolean;
}

export interface RunningTraceServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Ends all streams and closes; the store stays open. */
  close(): Promise<void>;
}

/**
 * Serves a store over HTTP until it is closed.
 *
 * @throws TypeError for a host that other machines reach without keys or `insecure`; RangeError for a LIMIT_... variable
 * that is no number of bytes; Error with code EADDRINUSE if the port is taken.
 */
export async function serveTraces({
  store,
  port = 8090,
  host = '127.0.0.1',
  insecure = false,
  ...options
}: ServeTracesOptions): Promise<RunningTraceServer> {
  const hasKeys = options.needsKeys ?? false;
  refuseExposure({ host, hasKeys, insecure }, { danger: 'read and write its traces', keys: '--keys; needsKeys: true' });
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

function tell(error: unknown): void {
  process.stderr.write(`ors traces: internal error: ${errorStack(error)}\n`);
}

import { randomUUID } from 'node:crypto';
import type { operations as TraceOperations } from '../../../generated/trace-api.ts';
import { document } from '../../../generated/trace-api-document.ts';
import { operations } from '../../../generated/trace-api-operations.ts';
import { validators } from '../../../generated/trace-validators.ts';
import { escapeMarkup, formatCount, formatNumber, parseJson } from '../../core/index.ts';
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
import { createViewer, renderHomeLinks, renderHomePage, renderKeyPage, viewerHref } from '../../viewer/server/index.ts';
import type { TraceLimits } from '../model/index.ts';
import { authenticateKeys, parseCaller } from './authenticate.ts';
import type { ApiContext } from './context.ts';
import { describeFailure, mapStoreErrors } from './errors.ts';
import { blockHandlers } from './operations/blocks.ts';
import { environmentHandlers, rolloutHandlers } from './operations/rollouts.ts';
import { runHandlers, scoreHandlers, traceHandlers, traceServiceHandlers } from './operations/traces.ts';
import { spanHandlers, transferHandlers } from './operations/transfer.ts';

/**
 * Options for `createTraceApi`.
 *
 * @example
 * const options: TraceApiOptions = { needsKeys: true, corsOrigins: ['https://viewer.example'] };
 */
export interface TraceApiOptions {
  /** Maximum sizes of fields and requests. @default the LIMIT_... environment variables */
  readonly limits?: TraceLimits;
  /** Requires an API key of the store for every request. @default false */
  readonly needsKeys?: boolean;
  /** Additional host names that requests may use; local ones and IP addresses are always allowed. @default any */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may use this server. @default none */
  readonly corsOrigins?: readonly string[];
  /** Serves `/metrics`. @default true */
  readonly metrics?: boolean;
  /** Interval of comments on a silent event stream, in milliseconds. @default 15000 */
  readonly heartbeatMs?: number;
  /** Time without progress after which a slow reader is disconnected, in milliseconds. @default 120000 */
  readonly stalledReaderMs?: number;
  /** Time that a message of the OpenReward client waits for its predecessors, in milliseconds. @default 60000 */
  readonly gapMs?: number;
  /** Receives internal errors of the server. @default prints a line to standard error */
  readonly onError?: (error: unknown) => void;
  /** Serves the viewer at /ui/. @default true */
  readonly viewer?: boolean;
  /** Validates JSON responses against the OpenAPI document, for tests. @default false */
  readonly validateResponses?: boolean;
}

/** Creates the pipeline that carries out every valid request. */
export const createTracePipeline = (context: ApiContext, onError: (error: unknown) => void): Pipeline =>
  createPipeline<ApiContext>({
    handlers: mapStoreErrors<ApiContext>(traceOperationHandlers),
    context,
    // Handlers validate bodies themselves; numbers that a double would change are kept as `ExactNumber`.
    tolerates: () => true,
    onError,
    describeFailure,
  });

/**
 * Creates the handler of all requests: request id, metrics, host check, CORS and API keys, then the fast path or Express,
 * which both end in the pipeline.
 */
export function createTraceHandler(
  context: ApiContext,
  pipeline: Pipeline,
  options: TraceApiOptions & Pick<SendOptions, 'onError'>,
): LazyApp {
  const { needsKeys = false, allowedHosts, corsOrigins = [], validateResponses = false, viewer = true } = options;
  const { heartbeatMs = 15_000, stalledReaderMs = 120_000, onError } = options;
  const shared = {
    heartbeatMs,
    stalledReaderMs,
    onError,
    document,
    operations,
    pipeline,
    admit: needsKeys ? authenticateKeys(context.store, context.openResponses) : undefined,
    bodyLimitBytes: context.limits.request,
    // Python writes NaN and Infinity; only its logging must not lose a batch for that.
    parseBody: (text: string, operationId: string | undefined) =>
      parseJson(text, { exactNumbers: true, nonFinite: operationId === 'logRollouts' }),
    handlersCheckBodies: true,
    describeFailure,
  };
  const { pages, folders } = createViewer({ environments: false, traces: true, keys: needsKeys });
  const home = (caller: string | undefined) => renderTracePage(context, caller, needsKeys);
  const app = lazyApp({
    ...shared,
    strictQuery: true,
    rewrite: ({ path }) => ({ path: path.replace(NO_OWNER, '/v1/environments/-/') }),
    ...(viewer && { pages: { ...pages, '/': home }, folders, keyPage: () => renderKeyPage(TITLE) }),
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

/** Clients that know no owner leave its segment empty, which Express does not match. */
const NO_OWNER = /^\/v1\/environments\/\//;

const traceOperationHandlers: Handlers<TraceOperations, ApiContext> = {
  ...traceHandlers,
  ...blockHandlers,
  ...runHandlers,
  ...transferHandlers,
  ...rolloutHandlers,
  ...scoreHandlers,
  ...spanHandlers,
  ...environmentHandlers,
  ...traceServiceHandlers,
};

const TITLE = 'Trace store';
/** Number of runs on the page at `/`. */
const SHOWN_RUNS = 10;

/** Renders the page at `/`: the latest runs of the organization, and links to everything that the server has for people. */
async function renderTracePage({ store, metrics }: ApiContext, caller: string | undefined, needsKeys: boolean) {
  const { org } = parseCaller(caller);
  const { items } = await store.runs(org, { limit: SHOWN_RUNS });
  const toOpen = 'needs the key in a header, which browsers do not send';
  const links = [
    { label: 'Runs', href: viewerHref({ view: 'runs' }), about: 'rewards, groups and traces of all runs' },
    { label: 'Search', href: viewerHref({ view: 'search' }), about: 'texts, tools and errors in all traces' },
    { label: 'OpenAPI document', href: 'openapi.json', about: 'every operation of the API' },
    { label: 'Readiness', href: 'readyz', about: 'whether the store can write' },
    ...(metrics
      ? [{ label: 'Metrics', href: needsKeys ? undefined : 'metrics', about: needsKeys ? toOpen : 'for Prometheus' }]
      : []),
  ];
  const rows = items.map(({ run, trace_count, reward, last_updated_at }) => {
    const name = `<a href="${escapeMarkup(viewerHref({ view: 'run', run }))}">${escapeMarkup(run)}</a>`;
    const mean = reward.mean === null ? '-' : formatNumber(reward.mean);
    const changed = last_updated_at.slice(0, 16).replace('T', ' ');
    return `<tr><td>${name}</td><td>${formatCount(trace_count)}</td><td>${mean}</td><td>${changed}</td></tr>`;
  });
  const head = '<th>Run</th><th>Traces</th><th>Mean reward</th><th>Changed (UTC)</th>';
  const runs = `<table><thead><tr>${head}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
  const none = `<p>There are none yet. A server of environments records its episodes here, and a rollout its run:</p>
<pre><code>npx ors-kit serve environment.ts --traces &lt;this address&gt;
npx ors-kit rollout &lt;server&gt; --agent random --traces &lt;this address&gt;</code></pre>`;
  const main = `<h1>${TITLE}</h1>\n<p>Traces of the organization ${escapeMarkup(org)}</p>\n${renderHomeLinks(links)}
<section><h2>Latest runs</h2>\n${rows.length > 0 ? runs : none}</section>`;
  return renderHomePage(TITLE, main);
}

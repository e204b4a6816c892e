import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackHost, truncate } from '../core/index.ts';
import type { DescribeFailure } from './http-error.ts';
import type { RequestHandler } from './node-server.ts';
import type { Route } from './openapi-operation.ts';
import { JSON_TYPE } from './operation.ts';
import { failure, refusal } from './pipeline.ts';
import { sendWhole } from './send-response.ts';

interface Allowed {
  /** Names, without a port, by which requests may call this server; `*` for any. */
  readonly hosts: readonly string[];
  /** Origins whose pages may use it; `*` for all. */
  readonly origins: readonly string[];
}

/**
 * Protects a server on this machine from web pages: rejects requests to unknown host names (DNS rebinding) and requests
 * from other origins. Requests to an IP address are accepted, since DNS cannot rebind one. Programs send no Origin and are
 * not affected.
 */
export function guardHost(
  handler: RequestHandler,
  { hosts, origins }: Allowed,
  onRejected: () => void,
  describeFailure?: DescribeFailure,
): RequestHandler {
  const allowed = { hosts: hosts.map(nameOf), origins };
  // Cached, since nearly all requests have the same Host.
  let lastHost: string | undefined;
  return (request, response, next) => {
    const { host, origin } = request.headers;
    if (origin === undefined && host === lastHost) return handler(request, response, next);
    const detail = findRejection(request, allowed);
    if (detail === undefined) {
      lastHost = host;
      return handler(request, response, next);
    }
    onRejected();
    const { status, body } = refusal(403, detail, describeFailure);
    const headers = ['Content-Type', JSON_TYPE, 'Content-Length', `${Buffer.byteLength(body)}`, 'Vary', 'Origin'];
    sendWhole(response, status, headers, body);
  };
}

function findRejection({ headers }: IncomingMessage, { hosts, origins }: Allowed): string | undefined {
  const { host, origin } = headers;
  const name = host === undefined ? undefined : nameOf(host);
  if (name !== undefined && !isLocal(name) && !hosts.includes('*') && !hosts.includes(name)) {
    return `invalid Host ${quote(name)}: expected a name or address of this machine; allow it with --allowed-host or allowedHosts`;
  }
  const isOwn =
    origin === undefined || (host !== undefined && (origin === `http://${host}` || origin === `https://${host}`));
  if (isOwn || origins.includes('*') || origins.includes(origin)) return undefined;
  return `invalid Origin ${quote(origin)}: pages of other origins cannot use this server; allow them with --cors-origin or corsOrigins`;
}

/** Returns the name in a `Host` header in lower case, without the port. */
const nameOf = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

const isLocal = (name: string) =>
  name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || /^\[[0-9a-f:.]+\]$/.test(name);

const quote = (text: string) => `'${truncate(text, 100)}'`;

interface CorsOptions {
  /** Origins whose pages may use this server; `*` for all. */
  readonly origins: readonly string[];
  /** Response headers that pages may read. */
  readonly exposedHeaders: readonly string[];
  readonly operations: Readonly<Record<string, Route>>;
}

/** Adds CORS headers for pages of the given origins, and answers their preflight requests. */
export function cors(handler: RequestHandler, { origins, exposedHeaders, operations }: CorsOptions): RequestHandler {
  const exposed = exposedHeaders.join(', ');
  const methods = [...new Set(Object.values(operations).map(({ method }) => method.toUpperCase()))].sort().join(', ');
  return (request, response, next) => {
    const { origin } = request.headers;
    response.appendHeader('Vary', 'Origin');
    if (origin === undefined || !(origins.includes('*') || origins.includes(origin))) {
      return handler(request, response, next);
    }
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    const { 'access-control-request-method': method, 'access-control-request-headers': requested = '' } =
      request.headers;
    if (request.method !== 'OPTIONS' || !method) return handler(request, response, next);
    response.writeHead(204, {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': requested,
      'Access-Control-Max-Age': '600',
    });
    response.end();
  };
}

/** Sends the response to an error, for a request that does not reach the pipeline. */
export function sendFailure(response: ServerResponse, error: unknown, onUnexpected: (error: unknown) => void): void {
  const { status, headers, content } = failure(error, onUnexpected);
  const body = JSON.stringify(content);
  const own = ['Content-Type', JSON_TYPE, 'Content-Length', `${Buffer.byteLength(body)}`];
  sendWhole(response, status, [...own, ...Object.entries(headers).flat()], body);
}

/** Address of a server, and whether it is protected. */
export interface Exposure {
  readonly host: string;
  /** True if callers are authenticated. */
  readonly hasKeys: boolean;
  /** True if the user has confirmed that the server is open to everyone. */
  readonly insecure: boolean;
}

interface Warning {
  /** Damage that a stranger could do, as the rest of a sentence. */
  readonly danger: string;
  /** Options that set API keys. */
  readonly keys: string;
  /** Option that confirms that the server is open to everyone. */
  readonly confirm: string;
}

/**
 * Rejects a server without API keys on an address that other machines can reach.
 *
 * @throws TypeError that lists what to change.
 */
export function refuseExposure({ host, hasKeys, insecure }: Exposure, { danger, keys, confirm }: Warning): void {
  if (hasKeys || insecure || isLoopbackHost(host)) return;
  throw new TypeError(
    `${host} can be reached from other machines, which could ${danger}: set API keys (${keys}), ` +
      `listen on 127.0.0.1 (--host or HOST), or confirm with ${confirm}`,
  );
}

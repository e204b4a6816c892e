import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { truncate } from '../core/index.ts';
import { type DescribeFailure, HttpError } from './http-error.ts';
import { failure } from './pipeline.ts';
import type { RequestHandler } from './request-handler.ts';

interface Allowed {
  /** Names, without a port, by which requests may call this server; `*` for any. */
  readonly hosts: readonly string[];
  /** Origins whose pages may use it; `*` for all. */
  readonly origins: readonly string[];
}

/**
 * Turns away what pages of elsewhere send to a server that means to serve its own machine: requests to a name that was
 * made to point here (DNS rebinding), and requests of other origins. An address cannot be made to point elsewhere, and
 * is taken. Programs send no Origin, and are not concerned.
 */
export function guardHost(
  handler: RequestHandler,
  { hosts, origins }: Allowed,
  onRefused: () => void,
  describeFailure?: DescribeFailure,
): RequestHandler {
  const allowed = { hosts: hosts.map(nameOf), origins };
  // A server is called by few names, again and again.
  let lastHost: string | undefined;
  return (request, response, next) => {
    const { host, origin } = request.headers;
    if (origin === undefined && host === lastHost) return handler(request, response, next);
    const detail = objectionTo(request, allowed);
    if (detail === undefined) {
      lastHost = host;
      return handler(request, response, next);
    }
    onRefused();
    const { status, content } = failure(new HttpError(403, detail), () => {}, '/', describeFailure);
    const body = JSON.stringify('json' in content ? content.json : undefined);
    response.writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      Vary: 'Origin',
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
}

function objectionTo({ headers }: IncomingMessage, { hosts, origins }: Allowed): string | undefined {
  const { host, origin } = headers;
  const name = host === undefined ? undefined : nameOf(host);
  if (name !== undefined && !isLocal(name) && !hosts.includes('*') && !hosts.includes(name)) {
    return `this server serves its own machine, and does not answer to the host ${quote(name)}; allow it (--allowed-host, allowedHosts) if it is meant`;
  }
  const isOwn =
    origin === undefined || (host !== undefined && (origin === `http://${host}` || origin === `https://${host}`));
  if (isOwn || origins.includes('*') || origins.includes(origin)) return undefined;
  return `pages of ${quote(origin)} may not use this server; allow them (--cors-origin, corsOrigins) if they are meant`;
}

/** A `Host` header without its port, in lower case. */
const nameOf = (host: string) => host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');

const isLocal = (name: string) =>
  name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || /^\[[0-9a-f:.]+\]$/.test(name);

const quote = (text: string) => `'${truncate(text, 100)}'`;

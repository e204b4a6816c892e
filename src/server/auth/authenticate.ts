import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { errorMessage, errorStack, isInstance, propertyOf } from '../../core/index.ts';
import { type Admit, HttpError, OpenResponses, readApiKey } from '../../http/index.ts';
import { isViewer } from '../../viewer/server/index.ts';

/**
 * Authenticates a request by its headers. Returns the name of the caller, which owns the sessions that it creates, or
 * undefined for an unknown caller, who gets 401.
 *
 * @example
 * const authenticate: Authenticate = async ({ authorization }) => (await verifyToken(authorization))?.subject;
 */
export interface Authenticate {
  (headers: IncomingHttpHeaders): string | undefined | Promise<string | undefined>;
  /**
   * Calls `listener` after keys may have been revoked. Open responses are then authenticated again, by their key in
   * `X-API-Key`, and cut if the key is unknown or has another owner now. Running calls continue.
   */
  readonly onChange?: (listener: () => void) => void;
}

/** Returns the name of the caller of a request, or undefined for an unknown caller. */
export type Identify = (request: IncomingMessage) => Promise<string | undefined>;

/** Open to everyone, so that probes of load balancers need no key. */
const ALWAYS_OPEN = ['/health', '/ready'];

/** Authenticates each request once, and again if keys may have been revoked since. */
export function identifyOnce(authenticate: Authenticate, openResponses: OpenResponses | undefined): Identify {
  const known = new WeakMap<IncomingMessage, { readonly revision: number; readonly caller: ReturnType<Identify> }>();
  return (request) => {
    const revision = openResponses?.revision ?? 0;
    const earlier = known.get(request);
    if (earlier?.revision === revision) return earlier.caller;
    const caller = authenticateSafely(authenticate, request.headers);
    known.set(request, { revision, caller });
    return caller;
  };
}

/**
 * Creates the function that returns whether everyone may open a path: one of the open paths, or one below them. An open path
 * `/` is only the landing page, since every path is below it.
 */
export function createOpenPaths(openPaths: readonly string[] = []): (path: string) => boolean {
  const open = [...ALWAYS_OPEN, ...openPaths.map((path) => `/${path}`.replace(/^\/+/, '/').replace(/(.)\/+$/, '$1'))];
  return (path) =>
    isViewer(path) || open.some((each) => path === each || (each !== '/' && path.startsWith(`${each}/`)));
}

/** Admits callers that `identify` knows, and everyone to the open paths. */
export function requireKnownCaller(
  identify: Identify,
  isOpen: (path: string) => boolean,
  { onRefused, openResponses }: { readonly onRefused: () => void; readonly openResponses: OpenResponses | undefined },
): Admit {
  return async (request) => {
    if (isOpen(pathOf(request))) return undefined;
    let revision: number | undefined;
    let caller: string | undefined;
    // Keys that changed meanwhile may have been revoked.
    do {
      revision = openResponses?.revision;
      caller = await identify(request);
    } while (revision !== openResponses?.revision);
    if (caller) {
      openResponses?.admitted(request, JSON.stringify([caller, readApiKey(request.headers) ?? '']));
      return caller;
    }
    onRefused();
    throw unauthorizedError(readApiKey(request.headers) !== undefined);
  };
}

/** Rethrows HTTP errors, and everything else as an Error of this realm, which all error handlers can inspect. */
async function authenticateSafely(
  authenticate: Authenticate,
  headers: IncomingHttpHeaders,
): Promise<string | undefined> {
  try {
    return await authenticate(headers);
  } catch (error) {
    const status = propertyOf(error, 'status');
    if (isInstance(error, HttpError)) throw error;
    if (typeof status === 'number') throw new HttpError(status, errorMessage(error));
    throw Object.assign(new Error(errorMessage(error)), { stack: errorStack(error) });
  }
}

/**
 * Tracks the open responses of admitted callers, to cut them when their key is revoked. Undefined if `authenticate` has no
 * `onChange`.
 *
 * @param onError called if `authenticate` fails; the responses are checked again after the next change.
 */
export function trackKeyRevocation(
  authenticate: Authenticate,
  onError: (error: unknown) => void,
): OpenResponses | undefined {
  if (!authenticate.onChange) return undefined;
  const openResponses = new OpenResponses();
  async function cutRevoked(): Promise<void> {
    for (const admitted of openResponses.keys) {
      const [caller, key] = JSON.parse(admitted) as readonly [string, string];
      if ((await authenticate({ 'x-api-key': key })) !== caller) openResponses.revoke(admitted);
    }
  }
  authenticate.onChange(() => {
    openResponses.revision++;
    cutRevoked().catch(onError);
  });
  return openResponses;
}

const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0] ?? '';

function unauthorizedError(hasKey: boolean): HttpError {
  const how = 'send one that this server knows as X-API-Key, or as Authorization: Bearer';
  const detail = hasKey ? `this API key is not known here; ${how}` : `this server needs an API key; ${how}`;
  return new HttpError(401, detail, { 'WWW-Authenticate': 'Bearer realm="ors"' });
}

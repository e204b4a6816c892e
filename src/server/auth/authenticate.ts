import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { errorMessage, errorStack, isInstance, propertyOf } from '../../core/index.ts';
import { type Admit, givenKey, HttpError } from '../../http/index.ts';
import { isViewer } from '../../viewer/server/index.ts';

/**
 * Says by a request's headers who asks: a name to which the sessions belong that it creates; undefined for somebody
 * unknown, who is answered 401.
 */
export type Authenticate = (headers: IncomingHttpHeaders) => string | undefined | Promise<string | undefined>;

/** What everybody may ask, so that probes of load balancers need no key. */
const ALWAYS_OPEN = ['/health', '/ready'];

/**
 * Admits those who `authenticate` knows, and everybody to the open paths and what lies below them. `/` is the landing page
 * alone: everything lies below it.
 */
export function admitKnown(authenticate: Authenticate, openPaths: readonly string[], onRefused: () => void): Admit {
  const open = [...ALWAYS_OPEN, ...openPaths.map((path) => `/${path}`.replace(/^\/+/, '/').replace(/(.)\/+$/, '$1'))];
  return async (request) => {
    const path = pathOf(request);
    if (isViewer(path) || open.some((each) => path === each || (each !== '/' && path.startsWith(`${each}/`))))
      return undefined;
    const caller = await called(authenticate, request.headers);
    if (caller) return caller;
    onRefused();
    throw unknown(givenKey(request.headers) !== undefined);
  };
}

/** Passes HTTP errors on; anything else that was thrown becomes an Error, which all that handles it can look at. */
async function called(authenticate: Authenticate, headers: IncomingHttpHeaders): Promise<string | undefined> {
  try {
    return await authenticate(headers);
  } catch (error) {
    const status = propertyOf(error, 'status');
    if (isInstance(error, HttpError)) throw error;
    if (typeof status === 'number') throw new HttpError(status, errorMessage(error));
    throw Object.assign(new Error(errorMessage(error)), { stack: errorStack(error) });
  }
}

const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0] ?? '';

function unknown(hasKey: boolean): HttpError {
  const how = 'send one that this server knows as X-API-Key, or as Authorization: Bearer';
  const detail = hasKey ? `this API key is not known here; ${how}` : `this server needs an API key; ${how}`;
  return new HttpError(401, detail, { 'WWW-Authenticate': 'Bearer realm="ors"' });
}

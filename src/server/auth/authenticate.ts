import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { errorMessage, errorStack, isInstance, propertyOf } from '../../core/index.ts';
import { type Admit, givenKey, HttpError, OpenResponses } from '../../http/index.ts';
import { isViewer } from '../../viewer/server/index.ts';

/**
 * Says by a request's headers who asks: a name to which the sessions belong that it creates; undefined for somebody
 * unknown, who is answered 401.
 */
export interface Authenticate {
  (headers: IncomingHttpHeaders): string | undefined | Promise<string | undefined>;
  /**
   * Calls `listener` after keys may have been revoked. Open responses are then authenticated again, by their key in
   * `X-API-Key`, and cut if the key is unknown or has another owner now. Running calls continue.
   */
  readonly onChange?: (listener: () => void) => void;
}

/** What everybody may ask, so that probes of load balancers need no key. */
const ALWAYS_OPEN = ['/health', '/ready'];

/**
 * Admits those who `authenticate` knows, and everybody to the open paths and what lies below them. `/` is the landing page
 * alone: everything lies below it.
 */
export function requireKnownCaller(
  authenticate: Authenticate,
  openPaths: readonly string[],
  { onRefused, answers }: { readonly onRefused: () => void; readonly answers: OpenResponses | undefined },
): Admit {
  const open = [...ALWAYS_OPEN, ...openPaths.map((path) => `/${path}`.replace(/^\/+/, '/').replace(/(.)\/+$/, '$1'))];
  return async (request) => {
    const path = pathOf(request);
    if (isViewer(path) || open.some((each) => path === each || (each !== '/' && path.startsWith(`${each}/`))))
      return undefined;
    let revision: number | undefined;
    let caller: string | undefined;
    do {
      revision = answers?.revision;
      caller = await called(authenticate, request.headers);
    } while (revision !== answers?.revision);
    if (caller) {
      answers?.admitted(request, JSON.stringify([caller, givenKey(request.headers) ?? '']));
      return caller;
    }
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
  const answers = new OpenResponses();
  async function cutRevoked(): Promise<void> {
    for (const admitted of answers.keys) {
      const [caller, key] = JSON.parse(admitted) as readonly [string, string];
      if ((await authenticate({ 'x-api-key': key })) !== caller) answers.revoke(admitted);
    }
  }
  authenticate.onChange(() => {
    answers.revision++;
    cutRevoked().catch(onError);
  });
  return answers;
}

const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0] ?? '';

function unknown(hasKey: boolean): HttpError {
  const how = 'send one that this server knows as X-API-Key, or as Authorization: Bearer';
  const detail = hasKey ? `this API key is not known here; ${how}` : `this server needs an API key; ${how}`;
  return new HttpError(401, detail, { 'WWW-Authenticate': 'Bearer realm="ors"' });
}

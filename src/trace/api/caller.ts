import type { IncomingMessage } from 'node:http';
import { type Admit, givenKey, HttpError } from '../../http/index.ts';
import { isViewer } from '../../viewer/server/index.ts';
import type { Scope, TraceStore } from '../store/index.ts';
import { hashOfKey } from './keys.ts';

/** The organization of requests that name none, where there are no keys. */
export const DEFAULT_ORGANIZATION = 'default';

/** Who asks, as the pipeline carries it. */
interface Caller {
  readonly org: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
}

const OPEN = /^\/(healthz|readyz|openapi\.json)\/?$/;
const ORGANIZATION = /^\/+v1\/organizations\/([^/]+)/;

/** Admits the keys of a store, each to the paths of its organization, to write only with the scope for it. */
export function admitKeys(store: TraceStore): Admit {
  return async (request) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (OPEN.test(path) || isViewer(path)) return undefined;
    const key = await keyOf(store, request);
    const [, named] = ORGANIZATION.exec(path) ?? [];
    if (named !== undefined && decoded(named) !== key.org) {
      throw new HttpError(403, 'this API key belongs to another organization than the one in the path');
    }
    const scope: Scope = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
    if (!key.scopes.includes(scope))
      throw new HttpError(403, `this API key may not ${scope}; its scopes: ${key.scopes}`);
    return JSON.stringify({ org: key.org, key: key.id, scopes: key.scopes } satisfies Caller);
  };
}

/** The organization of the key, or the default one where there are no keys. */
export const organizationOf = (caller: string | undefined): string =>
  caller === undefined ? DEFAULT_ORGANIZATION : (JSON.parse(caller) as Caller).org;

/** What the key may do; everything where there are no keys. */
export const scopesOf = (caller: string | undefined): Scope[] =>
  caller === undefined ? ['read', 'write'] : [...(JSON.parse(caller) as Caller).scopes];

/** What a server notes on blocks of who wrote them. */
export const annotationsOf = (caller: string | undefined): Record<string, string> =>
  caller === undefined ? {} : { key_id: (JSON.parse(caller) as Caller).key };

async function keyOf(store: TraceStore, { headers }: IncomingMessage) {
  const given = givenKey(headers);
  const key = given === undefined ? undefined : await store.findKey(hashOfKey(given));
  if (key) return key;
  const how = 'send one as X-API-Key, or as Authorization: Bearer; `ors traces keys add` makes them';
  const message =
    given === undefined ? `this server needs an API key; ${how}` : `this API key is not known here; ${how}`;
  throw new HttpError(401, message, { 'WWW-Authenticate': 'Bearer realm="ors-traces"' });
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

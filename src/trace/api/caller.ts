import type { IncomingMessage } from 'node:http';
import { decodePercent } from '../../core/index.ts';
import { type Admit, givenKey, HttpError, type OpenResponses } from '../../http/index.ts';
import { isViewer } from '../../viewer/server/index.ts';
import type { ApiKeyRecord, ApiKeyScope, TraceStore } from '../store/index.ts';
import { hashKey } from './keys.ts';

/** The organization of requests that name none, where there are no keys. */
export const DEFAULT_ORGANIZATION = 'default';

/** Who asks, as the pipeline carries it. */
interface CallerIdentity {
  readonly org: string;
  readonly key: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Number of its response among the open ones. */
  readonly responseId: number;
}

const OPEN = /^\/(healthz|readyz|openapi\.json)\/?$/;
const ORGANIZATION = /^\/+v1\/organizations\/([^/]+)/;

/** Admits the keys of a store, each to the paths of its organization, to write only with the scope for it. */
export function authenticateKeys(store: TraceStore, answers: OpenResponses): Admit {
  return async (request) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (OPEN.test(path) || isViewer(path)) return undefined;
    let revision: number;
    let key: ApiKeyRecord;
    do {
      revision = answers.revision;
      key = await keyOf(store, request);
    } while (revision !== answers.revision);
    const [, named] = ORGANIZATION.exec(path) ?? [];
    if (named !== undefined && decodePercent(named) !== key.org) {
      throw new HttpError(403, 'this API key belongs to another organization than the one in the path');
    }
    const scope: ApiKeyScope = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
    if (!key.scopes.includes(scope))
      throw new HttpError(403, `this API key may not ${scope}; its scopes: ${key.scopes}`);
    const ticket = answers.admitted(request, key.id);
    return JSON.stringify({
      org: key.org,
      key: key.id,
      scopes: key.scopes,
      responseId: ticket,
    } satisfies CallerIdentity);
  };
}

/** The organization of the key, or the default one where there are no keys. */
export const organizationOf = (caller: string | undefined): string =>
  caller === undefined ? DEFAULT_ORGANIZATION : (JSON.parse(caller) as CallerIdentity).org;

/** What the key may do; everything where there are no keys. */
export const scopesOf = (caller: string | undefined): ApiKeyScope[] =>
  caller === undefined ? ['read', 'write'] : [...(JSON.parse(caller) as CallerIdentity).scopes];

/** Number of the response among the open ones; 0 on servers without keys. */
export const responseIdOf = (caller: string | undefined): number =>
  caller === undefined ? 0 : (JSON.parse(caller) as CallerIdentity).responseId;

/**
 * Closes the answers under way of keys that are revoked, in whichever process.
 *
 * @param onError told where the keys cannot be read; they are read again after the next change.
 * @returns what ends it.
 */
export function closeRevokedResponses(
  store: TraceStore,
  answers: OpenResponses,
  onError: (error: unknown) => void,
): () => void {
  async function closeRevoked(): Promise<void> {
    if (answers.keys.length === 0) return;
    const valid = new Set((await store.keys()).flatMap(({ id, revoked_at }) => (revoked_at === null ? [id] : [])));
    for (const id of answers.keys) if (!valid.has(id)) answers.revoke(id);
  }
  return store.watchKeys(() => {
    answers.revision++;
    closeRevoked().catch(onError);
  });
}

/** What a server notes on blocks of who wrote them. */
export const annotationsOf = (caller: string | undefined): Record<string, string> =>
  caller === undefined ? {} : { key_id: (JSON.parse(caller) as CallerIdentity).key };

async function keyOf(store: TraceStore, { headers }: IncomingMessage): Promise<ApiKeyRecord> {
  const given = givenKey(headers);
  const key = given === undefined ? undefined : await store.findKey(hashKey(given));
  if (key) return key;
  const how = 'send one as X-API-Key, or as Authorization: Bearer; `ors traces keys add` makes them';
  const message =
    given === undefined ? `this server needs an API key; ${how}` : `this API key is not known here; ${how}`;
  throw new HttpError(401, message, { 'WWW-Authenticate': 'Bearer realm="ors-traces"' });
}

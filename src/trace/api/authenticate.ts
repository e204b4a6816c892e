import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { decodePercent } from '../../core/index.ts';
import { type Admit, HttpError, type OpenResponses, readApiKey } from '../../http/index.ts';
import { isViewer } from '../../viewer/server/index.ts';
import type { ApiKeyRecord, ApiKeyScope, TraceStore } from '../store/index.ts';

/** Caller of a request; passed through the pipeline as JSON. */
interface CallerIdentity {
  /** Organization of requests whose path has none. */
  readonly org: string;
  /** Id of the key; undefined if the server has no keys. */
  readonly key?: string;
  readonly scopes: readonly ApiKeyScope[];
  /** Id of the response in `OpenResponses`. */
  readonly responseId: number;
}

const PUBLIC_PATHS = /^\/(healthz|readyz|openapi\.json)\/?$/;
const ORGANIZATION = /^\/+v1\/organizations\/([^/]+)/;

/** Authenticates requests by API key, and checks the organization in the path and the scope of the key. */
export function authenticateKeys(store: TraceStore, openResponses: OpenResponses): Admit {
  return async (request) => {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    if (PUBLIC_PATHS.test(path) || isViewer(path)) return undefined;
    let revision: number;
    let key: ApiKeyRecord;
    // Reads the key again if keys have changed meanwhile, so that a revoked key is not admitted.
    do {
      revision = openResponses.revision;
      key = await keyOf(store, request);
    } while (revision !== openResponses.revision);
    const [, org] = ORGANIZATION.exec(path) ?? [];
    if (org !== undefined && decodePercent(org) !== key.org) {
      throw new HttpError(403, 'this API key belongs to another organization than the one in the path');
    }
    const scope: ApiKeyScope = request.method === 'GET' || request.method === 'HEAD' ? 'read' : 'write';
    if (!key.scopes.includes(scope))
      throw new HttpError(403, `this API key may not ${scope}; its scopes: ${key.scopes}`);
    const identity: CallerIdentity = {
      org: key.org,
      key: key.id,
      scopes: key.scopes,
      responseId: openResponses.admitted(request, key.id),
    };
    return JSON.stringify(identity);
  };
}

/** Caller of every request to a server without keys. */
const ANYONE: CallerIdentity = { org: 'default', scopes: ['read', 'write'], responseId: 0 };

/** Parses the caller that `authenticateKeys` has returned. @param caller undefined if the server has no keys. */
export const parseCaller = (caller: string | undefined): CallerIdentity =>
  caller === undefined ? ANYONE : (JSON.parse(caller) as CallerIdentity);

/**
 * Closes responses in progress when their key is revoked, also by another process.
 *
 * @param onError receives errors of reading the keys; they are read again after the next change.
 * @returns a function that stops watching.
 */
export function closeRevokedResponses(
  store: TraceStore,
  openResponses: OpenResponses,
  onError: (error: unknown) => void,
): () => void {
  async function closeRevoked(): Promise<void> {
    if (openResponses.keys.length === 0) return;
    const valid = new Set((await store.keys()).flatMap(({ id, revoked_at }) => (revoked_at === null ? [id] : [])));
    for (const id of openResponses.keys) if (!valid.has(id)) openResponses.revoke(id);
  }
  return store.watchKeys(() => {
    openResponses.revision++;
    closeRevoked().catch(onError);
  });
}

/** Returns the metadata that the server adds to blocks of this caller. */
export function annotationsOf(caller: string | undefined): Record<string, string> {
  const { key } = parseCaller(caller);
  return key === undefined ? {} : { key_id: key };
}

async function keyOf(store: TraceStore, { headers }: IncomingMessage): Promise<ApiKeyRecord> {
  const secret = readApiKey(headers);
  const key = secret === undefined ? undefined : await store.findKey(hashKey(secret));
  if (key) return key;
  const advice = 'send a key in X-API-Key or Authorization: Bearer; `ors traces keys add` creates one';
  const message = secret === undefined ? `this server needs an API key; ${advice}` : `unknown API key; ${advice}`;
  throw new HttpError(401, message, { 'WWW-Authenticate': 'Bearer realm="ors-traces"' });
}

/** Prefix of all keys, so that secret scanners recognize them. */
const PREFIX = 'ork_';

/**
 * Returns the SHA-256 of a key in hex, the form in which keys are stored.
 *
 * @example
 * const record = await store.findKey(hashKey(secret));
 */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * Creates an API key of an organization.
 *
 * @returns the stored record, and the secret, which is not stored and cannot be shown again.
 * @example
 * const { secret } = await issueKey(store, { org: 'default', name: 'ci', scopes: ['read', 'write'] });
 */
export async function issueKey(
  store: TraceStore,
  { org, name, scopes }: { readonly org: string; readonly name: string; readonly scopes: readonly ApiKeyScope[] },
): Promise<{ readonly key: ApiKeyRecord; readonly secret: string }> {
  const secret = PREFIX + randomBytes(24).toString('base64url');
  return { key: await store.addKey({ org, name, scopes, sha256: hashKey(secret) }), secret };
}

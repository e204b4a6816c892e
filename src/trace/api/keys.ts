import { createHash, randomBytes } from 'node:crypto';
import type { ApiKeyRecord, ApiKeyScope, TraceStore } from '../store/index.ts';

/** What keys begin with, so that scanners of secrets know them. */
const PREFIX = 'ork_';

/** The only form in which a key is stored. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Makes a key for an organization; `secret` is shown this once and stored nowhere. */
export async function issueKey(
  store: TraceStore,
  { org, name, scopes }: { readonly org: string; readonly name: string; readonly scopes: readonly ApiKeyScope[] },
): Promise<{ readonly key: ApiKeyRecord; readonly secret: string }> {
  const secret = PREFIX + randomBytes(24).toString('base64url');
  return { key: await store.addKey({ org, name, scopes, sha256: hashKey(secret) }), secret };
}

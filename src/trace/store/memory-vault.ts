import { randomUUID } from 'node:crypto';
import { timestampOf } from './time.ts';
import type { Blob, Key, TraceStore } from './trace-store.ts';

type Vault = Pick<TraceStore, 'addKey' | 'keys' | 'revokeKey' | 'findKey' | 'putBlob' | 'blob'> & {
  readonly blobCount: () => number;
};

/** The keys and blobs of a memory store. */
export function createVault(now: () => number, onRevoked: () => void): Vault {
  const blobs = new Map<string, Blob>();
  const byHash = new Map<string, Key>();
  const time = () => timestampOf(Math.floor(now() * 1000));
  return {
    async addKey({ sha256, org, name, scopes }) {
      const key: Key = { id: `key_${randomUUID()}`, org, name, scopes, created_at: time(), revoked_at: null };
      byHash.set(sha256, key);
      return key;
    },
    keys: async () => [...byHash.values()],
    async revokeKey(id) {
      const [sha256, key] = [...byHash].find(([, each]) => each.id === id && each.revoked_at === null) ?? [];
      if (sha256 === undefined || key === undefined) return false;
      byHash.set(sha256, { ...key, revoked_at: time() });
      onRevoked();
      return true;
    },
    async findKey(sha256) {
      const key = byHash.get(sha256);
      return key?.revoked_at === null ? key : undefined;
    },
    async putBlob(org, blob) {
      const key = `${org} ${blob.sha256}`;
      if (!blobs.has(key)) blobs.set(key, blob);
    },
    blob: async (org, sha256) => blobs.get(`${org} ${sha256}`),
    blobCount: () => blobs.size,
  };
}

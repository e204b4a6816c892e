import { randomUUID } from 'node:crypto';
import { toTimestamp } from './time.ts';
import type { ApiKeyRecord, StoredBlobData, TraceStore } from './trace-store.ts';

type KeyAndBlobStore = Pick<TraceStore, 'addKey' | 'keys' | 'revokeKey' | 'findKey' | 'putBlob' | 'blob'> & {
  readonly blobCount: () => number;
};

/** The keys and blobs of a memory store. */
export function createMemoryKeysAndBlobs(now: () => number, onRevoked: () => void): KeyAndBlobStore {
  const blobs = new Map<string, StoredBlobData>();
  const byHash = new Map<string, ApiKeyRecord>();
  const time = () => toTimestamp(Math.floor(now() * 1000));
  return {
    async addKey({ sha256, org, name, scopes }) {
      const key: ApiKeyRecord = { id: `key_${randomUUID()}`, org, name, scopes, created_at: time(), revoked_at: null };
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

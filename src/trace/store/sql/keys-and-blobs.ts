import { randomUUID } from 'node:crypto';
import { toTimestamp } from '../trace-changes.ts';
import type { ApiKeyRecord, ApiKeyScope, StoredBlobData, TraceStore } from '../trace-store.ts';
import { SMALL_WRITE, type SqlDriver } from './driver.ts';
import { decodeStoredText, encodeStoredText, insertRow } from './statements.ts';

type KeyRow = Omit<ApiKeyRecord, 'scopes'> & { readonly scopes: string };

const SELECT_KEYS = 'SELECT id, org, name, scopes, created_at, revoked_at FROM api_keys';

const toKey = (row: KeyRow): ApiKeyRecord => ({
  ...row,
  org: decodeStoredText(row.org),
  name: decodeStoredText(row.name),
  scopes: JSON.parse(row.scopes) as ApiKeyScope[],
});

/** API keys and blobs. @param now clock in milliseconds since 1970. */
export function createSqlKeysAndBlobs(
  driver: SqlDriver,
  now: () => number,
  onRevoked: () => void,
): Pick<TraceStore, 'addKey' | 'keys' | 'revokeKey' | 'findKey' | 'putBlob' | 'blob'> {
  const time = () => toTimestamp(Math.floor(now() * 1000));
  return {
    addKey: ({ org, name, scopes, sha256 }) =>
      driver.write(SMALL_WRITE, async (transaction) => {
        const row: KeyRow = {
          id: `key_${randomUUID()}`,
          org: encodeStoredText(org),
          name: encodeStoredText(name),
          scopes: JSON.stringify(scopes),
          created_at: time(),
          revoked_at: null,
        };
        await insertRow(transaction, 'api_keys', { ...row, sha256 });
        return toKey(row);
      }),
    keys: async () => (await driver.query<KeyRow>(`${SELECT_KEYS} ORDER BY created_at, id`)).map(toKey),
    async revokeKey(id) {
      const sql = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING id';
      const revoked = await driver.write(SMALL_WRITE, (transaction) => transaction.query(sql, [time(), id]));
      onRevoked();
      return revoked.length > 0;
    },
    async findKey(sha256) {
      const sql = `${SELECT_KEYS} WHERE sha256 = ? AND revoked_at IS NULL`;
      const [row] = await driver.query<KeyRow>(sql, [sha256]);
      return row && toKey(row);
    },
    async putBlob(org, { sha256, media_type, data }) {
      const sql =
        'INSERT INTO blobs (org, sha256, media_type, data) VALUES (?, ?, ?, ?) ON CONFLICT (org, sha256) DO NOTHING';
      const params = [encodeStoredText(org), sha256, encodeStoredText(media_type), data];
      await driver.write(data.length, (transaction) => transaction.query(sql, params));
    },
    async blob(org, sha256) {
      const sql = 'SELECT sha256, media_type, data FROM blobs WHERE org = ? AND sha256 = ?';
      const [row] = await driver.query<StoredBlobData>(sql, [encodeStoredText(org), sha256]);
      return row && { ...row, media_type: decodeStoredText(row.media_type) };
    },
  };
}

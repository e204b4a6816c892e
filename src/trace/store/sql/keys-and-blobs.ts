import { randomUUID } from 'node:crypto';
import { toTimestamp } from '../trace-changes.ts';
import type { ApiKeyRecord, ApiKeyScope, NewApiKey, StoredBlobData } from '../trace-store.ts';
import type { SqlReader } from './driver.ts';
import { decodeStoredText, encodeStoredText, insertRow } from './statements.ts';

interface KeyRow {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly scopes: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

const KEY_COLUMNS = 'id, org, name, scopes, created_at, revoked_at';

const toKey = (row: KeyRow): ApiKeyRecord => ({
  ...row,
  org: decodeStoredText(row.org),
  name: decodeStoredText(row.name),
  scopes: JSON.parse(row.scopes) as ApiKeyScope[],
});

/** @param us time of creation in microseconds since 1970. */
export async function addKey(
  transaction: SqlReader,
  { org, name, scopes, sha256 }: NewApiKey,
  us: number,
): Promise<ApiKeyRecord> {
  const row: KeyRow = {
    id: `key_${randomUUID()}`,
    org: encodeStoredText(org),
    name: encodeStoredText(name),
    scopes: JSON.stringify(scopes),
    created_at: toTimestamp(us),
    revoked_at: null,
  };
  await insertRow(transaction, 'api_keys', { ...row, sha256 });
  return toKey(row);
}

export const readKeys = async (reader: SqlReader): Promise<ApiKeyRecord[]> =>
  (await reader.query<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_keys ORDER BY created_at, id`)).map(toKey);

export async function findKey(reader: SqlReader, sha256: string): Promise<ApiKeyRecord | undefined> {
  const sql = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE sha256 = ? AND revoked_at IS NULL`;
  const [row] = await reader.query<KeyRow>(sql, [sha256]);
  return row && toKey(row);
}

export async function revokeKey(transaction: SqlReader, id: string, us: number): Promise<boolean> {
  const sql = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING id';
  return (await transaction.query(sql, [toTimestamp(us), id])).length > 0;
}

export async function putBlob(
  transaction: SqlReader,
  org: string,
  { sha256, media_type, data }: StoredBlobData,
): Promise<void> {
  await transaction.query(
    'INSERT INTO blobs (org, sha256, media_type, data) VALUES (?, ?, ?, ?) ON CONFLICT (org, sha256) DO NOTHING',
    [encodeStoredText(org), sha256, encodeStoredText(media_type), data],
  );
}

export async function readBlob(reader: SqlReader, org: string, sha256: string): Promise<StoredBlobData | undefined> {
  const sql = 'SELECT sha256, media_type, data FROM blobs WHERE org = ? AND sha256 = ?';
  const [row] = await reader.query<StoredBlobData>(sql, [encodeStoredText(org), sha256]);
  return row && { ...row, media_type: decodeStoredText(row.media_type) };
}

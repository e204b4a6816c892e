import { randomUUID } from 'node:crypto';
import { timestampOf } from '../time.ts';
import type { Blob, Key, NewKey, Scope } from '../trace-store.ts';
import type { SqlReader } from './driver.ts';
import { insert } from './statements.ts';
import { readText, storedText } from './text.ts';

interface KeyRow {
  readonly id: string;
  readonly org: string;
  readonly name: string;
  readonly scopes: string;
  readonly created_at: string;
  readonly revoked_at: string | null;
}

const KEY_COLUMNS = 'id, org, name, scopes, created_at, revoked_at';

const toKey = (row: KeyRow): Key => ({
  ...row,
  org: readText(row.org),
  name: readText(row.name),
  scopes: JSON.parse(row.scopes) as Scope[],
});

/** @param us microseconds since 1970, here and below. */
export async function addKey(transaction: SqlReader, { org, name, scopes, sha256 }: NewKey, us: number): Promise<Key> {
  const row: KeyRow = {
    id: `key_${randomUUID()}`,
    org: storedText(org),
    name: storedText(name),
    scopes: JSON.stringify(scopes),
    created_at: timestampOf(us),
    revoked_at: null,
  };
  await insert(transaction, 'api_keys', { ...row, sha256 });
  return toKey(row);
}

export const readKeys = async (reader: SqlReader): Promise<Key[]> =>
  (await reader.query<KeyRow>(`SELECT ${KEY_COLUMNS} FROM api_keys ORDER BY created_at, id`)).map(toKey);

export async function findKey(reader: SqlReader, sha256: string): Promise<Key | undefined> {
  const sql = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE sha256 = ? AND revoked_at IS NULL`;
  const [row] = await reader.query<KeyRow>(sql, [sha256]);
  return row && toKey(row);
}

export async function revokeKey(transaction: SqlReader, id: string, us: number): Promise<boolean> {
  const sql = 'UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL RETURNING id';
  return (await transaction.query(sql, [timestampOf(us), id])).length > 0;
}

export async function putBlob(transaction: SqlReader, org: string, { sha256, media_type, data }: Blob): Promise<void> {
  await transaction.query(
    'INSERT INTO blobs (org, sha256, media_type, data) VALUES (?, ?, ?, ?) ON CONFLICT (org, sha256) DO NOTHING',
    [storedText(org), sha256, storedText(media_type), data],
  );
}

export async function readBlob(reader: SqlReader, org: string, sha256: string): Promise<Blob | undefined> {
  const sql = 'SELECT sha256, media_type, data FROM blobs WHERE org = ? AND sha256 = ?';
  const [row] = await reader.query<Blob>(sql, [storedText(org), sha256]);
  return row && { ...row, media_type: readText(row.media_type) };
}

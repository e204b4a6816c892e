import type { SqlReader, SqlRow, SqlValue } from './driver.ts';

export async function insertRow(transaction: SqlReader, table: string, columns: SqlRow): Promise<void> {
  await transaction.query(insertInto(table, Object.keys(columns)), Object.values(columns));
}

export function insertInto(table: string, names: readonly string[], rows = 1): string {
  const row = `(${names.map(() => '?').join(', ')})`;
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES ${Array<string>(rows).fill(row).join(', ')}`;
}

/** Changes the row whose column `key` is `value`. */
export async function updateRow(
  transaction: SqlReader,
  table: string,
  columns: SqlRow,
  [key, value]: readonly [string, SqlValue],
): Promise<void> {
  const changes = Object.keys(columns).map((name) => `${name} = ?`);
  const sql = `UPDATE ${table} SET ${changes.join(', ')} WHERE ${key} = ?`;
  await transaction.query(sql, [...Object.values(columns), value]);
}

/** Conditions that all hold, each with its parameters. */
export interface WhereClause {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** Undefined where nothing is asked for. */
export type SqlCondition = readonly [sql: string, ...params: SqlValue[]] | undefined;

/** @param conditions those that are undefined are left out; at least one is not. */
export function whereAll(conditions: readonly SqlCondition[]): WhereClause {
  const given = conditions.flatMap((condition) => (condition ? [condition] : []));
  return { sql: given.map(([sql]) => sql).join(' AND '), params: given.flatMap(([, ...params]) => params) };
}

/** A pattern for `Dialect.like` that fits texts which hold this one. */
export function likePatternContaining(text: string): string {
  // Such texts are stored as JSON.
  const stored = text.includes('\0') || !text.isWellFormed() ? JSON.stringify(text).slice(1, -1) : text;
  return `%${escapeLike(stored)}%`;
}

/** Escapes a text for a pattern of `Dialect.like`. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** An order by a column, then by one that is unique, both in the same direction; null comes last in either. */
export interface SqlOrder {
  readonly column: string;
  readonly id: string;
  readonly order: 'asc' | 'desc';
  readonly mayBeNull: boolean;
}

/** Whether the place of a cursor may be one in an order: databases refuse to compare others. */
export const isCursorOf =
  (isWhole: boolean) =>
  ([value = null, of]: readonly unknown[]): boolean =>
    typeof of === 'string' &&
    !of.includes('\0') &&
    (value === null || (isWhole ? Number.isSafeInteger(value) : Number.isFinite(value)));

/** What comes after a place in an order. */
export function afterCursor(
  { column, id, order, mayBeNull }: SqlOrder,
  [value = null, of = '']: readonly SqlValue[],
): SqlCondition {
  const past = order === 'asc' ? '>' : '<';
  if (value === null) return [`(${column} IS NULL AND ${id} ${past} ?)`, of];
  const following = `(${column}, ${id}) ${past} (?, ?)`;
  return [mayBeNull ? `(${following} OR ${column} IS NULL)` : following, value, of];
}

import { PARENT_SUB_TYPES } from '../../model/index.ts';
import type { SqlReader, SqlRow, SqlValue } from './driver.ts';

/** SQL and stored values that the statements of the store and the schemas of both engines share. */

export async function insertRow(transaction: SqlReader, table: string, columns: SqlRow): Promise<void> {
  await transaction.query(insertInto(table, Object.keys(columns)), Object.values(columns));
}

export function insertInto(table: string, names: readonly string[], rows = 1): string {
  const row = `(${names.map(() => '?').join(', ')})`;
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES ${Array<string>(rows).fill(row).join(', ')}`;
}

/** Updates the row whose column `key` is `value`. */
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

/** A conjunction of conditions, with its parameters. */
export interface WhereClause {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** A condition with its parameters; undefined if the query does not filter by it. */
export type SqlCondition = readonly [sql: string, ...params: SqlValue[]] | undefined;

/** Conditions that columns have the values of the fields with their names; undefined fields do not filter. */
export const equalColumns = (
  fields: Readonly<Record<string, string | number | undefined>>,
  table = '',
): SqlCondition[] =>
  Object.entries(fields).map(([name, value]) =>
    value === undefined
      ? undefined
      : [`${table}${name} = ?`, typeof value === 'string' ? encodeStoredText(value) : value],
  );

/** @param conditions at least one that is defined; the undefined ones are omitted. */
export function whereAll(conditions: readonly SqlCondition[]): WhereClause {
  const given = conditions.flatMap((condition) => (condition ? [condition] : []));
  return { sql: given.map(([sql]) => sql).join(' AND '), params: given.flatMap(([, ...params]) => params) };
}

/** Pattern for `SqlDialect.like` that matches texts which contain this one. */
export function likePatternContaining(text: string): string {
  // These texts are stored as JSON, see `encodeStoredText`.
  const stored = text.includes('\0') || !text.isWellFormed() ? JSON.stringify(text).slice(1, -1) : text;
  return `%${escapeLike(stored)}%`;
}

/** Escapes a text for a pattern of `SqlDialect.like`. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Order by a column, then by a unique column in the same direction; null sorts last in either direction. */
export interface SqlOrder {
  readonly column: string;
  readonly id: string;
  readonly order: 'asc' | 'desc';
  readonly mayBeNull: boolean;
}

/** Returns a check that the values of a cursor fit the columns of an order; databases reject other comparisons. */
export const isCursorOf =
  (isWhole: boolean) =>
  ([value = null, id]: readonly unknown[]): boolean =>
    typeof id === 'string' &&
    !id.includes('\0') &&
    (value === null || (isWhole ? Number.isSafeInteger(value) : Number.isFinite(value)));

/** Condition for the rows after a cursor. */
export function afterCursor(
  { column, id, order, mayBeNull }: SqlOrder,
  [value = null, lastId = '']: readonly SqlValue[],
): SqlCondition {
  const past = order === 'asc' ? '>' : '<';
  if (value === null) return [`(${column} IS NULL AND ${id} ${past} ?)`, lastId];
  const following = `(${column}, ${id}) ${past} (?, ?)`;
  return [mayBeNull ? `(${following} OR ${column} IS NULL)` : following, value, lastId];
}

/** SQL expression for the sub type that the parent of a block must have; null for a message. */
export const parentSubType = (block: string): string =>
  `CASE ${block}.sub_type ${Object.entries(PARENT_SUB_TYPES)
    .map(([subType, parent]) => `WHEN '${subType}' THEN '${parent}'`)
    .join(' ')} END`;

/**
 * Condition that the row `parent` may be the parent of a block, as far as their kinds and `call_id` are concerned. It is
 * part of the schema: changing it needs a new version there.
 */
export const parentRule = (block: string): string => `parent.sub_type = ${parentSubType(block)}
  AND (${block}.sub_type <> 'TOOL_RESULT' OR (coalesce(${block}.call_id = parent.call_id, TRUE)
    AND ${block}.call_key = coalesce(${block}.call_id, parent.call_key)))`;

/**
 * Encodes a text of a client. Databases store neither lone surrogates nor, some of them, NUL: such a text is stored as
 * JSON, which begins with a quote, and so is every text that begins with a quote.
 */
export const encodeStoredText = (text: string): string =>
  text.startsWith('"') || text.includes('\0') || !text.isWellFormed() ? JSON.stringify(text) : text;

export const encodeStoredTextOrNull = (text: string | null): string | null =>
  text === null ? null : encodeStoredText(text);

export const decodeStoredText = (stored: string): string =>
  stored.startsWith('"') ? String(JSON.parse(stored)) : stored;

export const decodeStoredTextOrNull = (stored: string | null): string | null =>
  stored === null ? null : decodeStoredText(stored);

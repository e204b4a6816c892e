import { createRequire } from 'node:module';
import type { PoolConfig } from 'pg';
import { BoundedMap, isMissingPackage } from '../../../../core/index.ts';
import type { SqlDialect, SqlValue } from '../driver.ts';
import { isPostgresDuplicate } from './errors.ts';

/** @throws Error if the package pg is not installed. */
export function loadNodePostgres(): typeof import('pg') {
  try {
    // Required at run time, so that bundlers do not include the optional package.
    return createRequire(import.meta.url)('pg') as typeof import('pg');
  } catch (error) {
    if (!isMissingPackage(error, 'pg')) throw error;
    throw new Error('PostgreSQL needs the package pg: npm install pg', { cause: error });
  }
}

const readBytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), 'hex'));

const readText = (text: string): string => text;

/** OIDs: bytea; int8, int2, int4, float4, float8 and numeric, of which whole numbers stay within 53 bits. */
const PARSERS: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [17, readBytes],
  [20, Number],
  [21, Number],
  [23, Number],
  [700, Number],
  [701, Number],
  [1700, Number],
]);

/** Parsers of the texts that PostgreSQL sends, by the OID of their type. */
export const pgTypes: NonNullable<PoolConfig['types']> = {
  getTypeParser: (type: number) => PARSERS.get(type) ?? readText,
};

/** Capacity of the cache: lists have a statement for each combination of filters. */
const MAX_STATEMENTS = 500;

const numbered = new BoundedMap<string, string>(MAX_STATEMENTS);

/** Replaces each `?` by `$1`, `$2`... for pg. Literals in the statements of the store contain no question mark. */
export function toStatement(sql: string, values: readonly SqlValue[] = []) {
  let text = numbered.get(sql);
  if (text === undefined) {
    let count = 0;
    text = sql.replaceAll('?', () => `$${++count}`);
    numbered.set(sql, text);
  }
  // pg does not change the values.
  return { text, values: values as SqlValue[] };
}

export const postgresDialect: SqlDialect = {
  columnIn: (column) => `${column} = ANY(?)`,
  list: (values) => `{${[...values].map(element).join(',')}}`,
  // A subquery per value: without table statistics PostgreSQL would scan the table for a few hundred values.
  rowsWith: (table, column, and) =>
    `unnest(?::text[]) AS wanted, LATERAL (
      SELECT * FROM ${table} WHERE ${column} = wanted AND ${and} = ? OFFSET 0) AS found`,
  pairIn: (column, other) =>
    `(${column}, ${other}) IN (SELECT (pair ->> 0)::bigint, pair ->> 1 FROM json_array_elements(?) AS pair)`,
  // This collation folds the case of ASCII letters only.
  like: (column) => `${column} COLLATE "C" ILIKE ? ESCAPE '\\'`,
  quote: (text) => `to_json(${text})::text`,
  toExactNumeric: (number) => `exact(${number})`,
  toDouble: (number) => `nearest(${number})`,
  variance: (doubles) => `var_pop(${doubles})`,
  tracesByRun: 'trace_rows AS t',
  async insertAll(transaction, table, rows) {
    const names = Object.keys(rows[0] ?? {}).join(', ');
    await transaction.query(
      `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, ?)`,
      [JSON.stringify(rows)],
    );
  },
  async updateAll(transaction, table, rows, key) {
    const names = Object.keys(rows[0] ?? {}).filter((name) => name !== key);
    await transaction.query(
      `UPDATE ${table} AS old SET ${names.map((name) => `${name} = new.${name}`).join(', ')}
       FROM json_populate_recordset(NULL::${table}, ?) AS new WHERE old.${key} = new.${key}`,
      [JSON.stringify(rows)],
    );
  },
  isDuplicate: isPostgresDuplicate,
};

/** Literal of an array element. */
const element = (value: string | number): string => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;

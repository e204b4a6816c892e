import type { SqlDialect } from '../driver.ts';
import { isPostgresDuplicate } from './errors.ts';

export const postgresDialect: SqlDialect = {
  columnIn: (column) => `${column} = ANY(?)`,
  list: (values) => `{${[...values].map(element).join(',')}}`,
  // Of a table that it has not yet analyzed it takes a few hundred values for all rows, and reads them all.
  rowsWith: (table, column, of) =>
    `unnest(?::text[]) AS wanted, LATERAL (
      SELECT * FROM ${table} WHERE ${column} = wanted AND ${of} = ? OFFSET 0) AS found`,
  pairIn: (column, other) =>
    `(${column}, ${other}) IN (SELECT (pair ->> 0)::bigint, pair ->> 1 FROM json_array_elements(?) AS pair)`,
  // This collation knows capitals of ASCII alone.
  like: (column) => `${column} COLLATE "C" ILIKE ? ESCAPE '\\'`,
  quote: (text) => `to_json(${text})::text`,
  toExactNumeric: (number) => `exact(${number})`,
  toDouble: (number) => `nearest(${number})`,
  variance: (doubles) => `var_pop(${doubles})`,
  tracesByRun: 'trace_rows',
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

/** An element of an array, as PostgreSQL writes it. */
const element = (value: string | number): string => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;

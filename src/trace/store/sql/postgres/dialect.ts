import type { Dialect } from '../driver.ts';
import { isDuplicate } from './errors.ts';

export const postgresDialect: Dialect = {
  oneOf: (column) => `${column} = ANY(?)`,
  list: (values) => `{${[...values].map(element).join(',')}}`,
  oneOfPairs: (column, other) =>
    `(${column}, ${other}) IN (SELECT (pair ->> 0)::bigint, pair ->> 1 FROM json_array_elements(?) AS pair)`,
  // This collation knows capitals of ASCII alone.
  like: (column) => `${column} COLLATE "C" ILIKE ? ESCAPE '\\'`,
  quote: (text) => `to_json(${text})::text`,
  exact: (number) => `exact(${number})`,
  nearest: (number) => `nearest(${number})`,
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
  isDuplicate,
};

/** An element of an array, as PostgreSQL writes it. */
const element = (value: string | number): string => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;

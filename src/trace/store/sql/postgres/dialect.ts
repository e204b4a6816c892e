import type { Dialect } from '../driver.ts';
import { isDuplicate } from './errors.ts';

export const postgresDialect: Dialect = {
  oneOf: (column) => `${column} = ANY(?)`,
  list: (values) => `{${[...values].map(element).join(',')}}`,
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
  isDuplicate,
};

/** An element of an array, as PostgreSQL writes it. */
const element = (value: string | number): string => `"${String(value).replaceAll(/["\\]/g, String.raw`\$&`)}"`;

import type { Dialect } from '../driver.ts';
import { insertInto } from '../statements.ts';
import { isDuplicate } from './errors.ts';

export const sqliteDialect: Dialect = {
  oneOf: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  list: (values) => JSON.stringify([...values]),
  like: (column) => `${column} LIKE ? ESCAPE '\\'`,
  quote: (text) => `json_quote(${text})`,
  // What leaves the doubles is infinite, and no error.
  exact: (number) => number,
  nearest: (number) => number,
  async insertAll(transaction, table, rows) {
    const sql = insertInto(table, Object.keys(rows[0] ?? {}));
    for (const row of rows) await transaction.query(sql, Object.values(row));
  },
  isDuplicate,
};

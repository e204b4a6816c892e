import type { SqlDialect } from '../driver.ts';
import { insertInto, updateRow } from '../statements.ts';
import { isSqliteDuplicate } from './errors.ts';

/** For each statement SQLite keeps what its pages held before: so many rows at a time take it a sixth less than one by one. */
const ROWS = 16;

export const sqliteDialect: SqlDialect = {
  columnIn: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  list: (values) => JSON.stringify([...values]),
  rowsWith: (table, column, of) =>
    `(SELECT * FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?)) AND ${of} = ?)`,
  pairIn: (column, other) => `(${column}, ${other}) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
  like: (column) => `${column} LIKE ? ESCAPE '\\'`,
  quote: (text) => `json_quote(${text})`,
  // What leaves the doubles is infinite, and no error.
  toExactNumeric: (number) => number,
  toDouble: (number) => number,
  variance: undefined,
  tracesByRun: 'trace_rows INDEXED BY traces_of_run_by_time',
  async insertAll(transaction, table, rows) {
    const names = Object.keys(rows[0] ?? {});
    for (let from = 0; from < rows.length; from += ROWS) {
      const some = rows.slice(from, from + ROWS);
      const values = some.flatMap((row) => Object.values(row));
      await transaction.query(insertInto(table, names, some.length), values);
    }
  },
  async updateAll(transaction, table, rows, key) {
    for (const { [key]: value = null, ...columns } of rows) await updateRow(transaction, table, columns, [key, value]);
  },
  isDuplicate: isSqliteDuplicate,
};

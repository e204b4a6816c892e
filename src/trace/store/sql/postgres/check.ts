import type { SqlReader } from '../driver.ts';

const OURS = 'relnamespace = current_schema()::regnamespace';

/** Rules of the tables that somebody has switched off, and indexes that are not whole: what PostgreSQL tells of itself. */
export async function checkPostgresSchema(reader: SqlReader): Promise<string[]> {
  const rows = await reader.query<{ readonly problem: string }>(
    `SELECT 'the rule ' || tgname || ' of ' || relname || ' is switched off' AS problem
     FROM pg_trigger JOIN pg_class AS c ON c.oid = tgrelid WHERE ${OURS} AND tgenabled <> 'O'
     UNION ALL SELECT 'the rule ' || conname || ' of ' || relname || ' was never held against what is there'
     FROM pg_constraint JOIN pg_class AS c ON c.oid = conrelid WHERE ${OURS} AND NOT convalidated
     UNION ALL SELECT 'the index ' || relname || ' is not valid'
     FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid WHERE ${OURS} AND NOT indisvalid`,
  );
  return rows.map(({ problem }) => `PostgreSQL says: ${problem}`);
}

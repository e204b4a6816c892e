interface Statement {
  run(...values: (string | number)[]): unknown;
  all(): object[];
}

interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

const name: string = 'node:sqlite';

/** SQLite without a store; the types of Node 20 do not know it. */
export async function openBare(path: string): Promise<Database> {
  const { DatabaseSync } = (await import(name)) as { DatabaseSync: new (path: string) => Database };
  return new DatabaseSync(path);
}

/** As much of node:sqlite as is used here. The types of Node 20, which has no node:sqlite, do not know it. */
export interface NodeSqlite {
  readonly DatabaseSync: new (path: string, options?: { readonly readOnly?: boolean }) => Database;
  /** Since Node 22.16. */
  readonly backup?: (
    source: Database,
    path: string,
    options: {
      readonly rate: number;
      readonly progress?: (pages: { readonly totalPages: number; readonly remainingPages: number }) => void;
    },
  ) => Promise<number>;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  all(...params: readonly (string | number | Uint8Array | null)[]): unknown[];
}

/** @throws Error where this Node has no node:sqlite. */
export function loadNodeSqlite(): NodeSqlite {
  const sqlite: object | undefined = process.getBuiltinModule('node:sqlite');
  if (sqlite) return sqlite as NodeSqlite;
  throw new Error(
    `SQLite needs Node 22.13 or newer, and this is ${process.version}; run it with a newer Node, or keep the traces in ` +
      'memory',
  );
}

/** What opens SQLite files: Node's own module, or a package where this Node has none. */
export interface SqliteEngine {
  open(path: string): SqliteDatabase;
  /** Copies a database while others write to it; undefined where only a statement can. */
  readonly backup:
    | ((source: SqliteDatabase, path: string, onProgress: OnBackupProgress) => Promise<unknown>)
    | undefined;
  /**
   * Moves the log of a database into its file in a thread, as far as nobody reads an old state, and tells whether that was
   * all; undefined where there is no such thread.
   */
  readonly checkpointWal: ((path: string) => Promise<boolean>) | undefined;
}

export interface SqliteDatabase {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  all(...params: readonly (string | number | Uint8Array | null)[]): unknown[];
}

export type OnBackupProgress = (done: number, all: number) => void;

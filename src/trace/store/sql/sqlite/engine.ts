/** What opens SQLite files: Node's own module, or a package where this Node has none. */
export interface Engine {
  open(path: string): Database;
  /** Copies a database while others write to it; undefined where only a statement can. */
  readonly copy: ((source: Database, path: string, onProgress: OnProgress) => Promise<unknown>) | undefined;
  /**
   * Moves the log of a database into its file in a thread, as far as nobody reads an old state, and tells whether that was
   * all; undefined where there is no such thread.
   */
  readonly moveLog: ((path: string) => Promise<boolean>) | undefined;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  all(...params: readonly (string | number | Uint8Array | null)[]): unknown[];
}

export type OnProgress = (done: number, all: number) => void;

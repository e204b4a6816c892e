/** A database system on which the store is measured. */
export interface Engine extends AsyncDisposable {
  /** Name and version. */
  readonly version: string;
  /** True if several connections can write concurrently. */
  readonly isParallel: boolean;
  /** Creates an empty database. */
  create(): Promise<Database>;
}

/** A database that is removed when it is disposed. */
export interface Database extends AsyncDisposable {
  /** Path or URL for a server to open. */
  readonly location: string;
  /**
   * Inserts rows into a table without constraints, `times` times in a transaction each, after as many for warm-up. Uses
   * `writers` connections if the engine is parallel.
   *
   * @returns the duration in seconds.
   */
  insertBare(rows: readonly BareRow[], times: number, writers: number): Promise<number>;
  /** Reads all rows of all blocks, and formats them as JSON. */
  readRows(): Promise<void>;
  /** Size on disk. No connection may be open. */
  bytes(): Promise<number>;
  /** Counts which of these blocks are stored. */
  countBlocks(ids: ReadonlySet<string>): Promise<number>;
}

export interface BareRow {
  readonly id: string;
  readonly payload: string;
}

export const countRows = (rows: readonly { readonly id: string }[], ids: ReadonlySet<string>): number =>
  rows.filter(({ id }) => ids.has(id)).length;

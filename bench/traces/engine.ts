/** A database system that the store is measured on. */
export interface Engine extends AsyncDisposable {
  /** What it is, with its version. */
  readonly version: string;
  /** Whether writers work beside each other. */
  readonly isParallel: boolean;
  /** A new one with nothing in it. */
  create(): Promise<Database>;
}

/** A database, gone at the end. */
export interface Database extends AsyncDisposable {
  /** What a server opens: a path or a URL. */
  readonly place: string;
  /**
   * Writes rows of an id and a text into a table without rules, each time in a transaction of its own, over so many
   * connections at once where these do not wait for each other; as many times before, to warm up.
   *
   * @returns how many seconds it took.
   */
  writeBare(rows: readonly BareRow[], times: number, writers: number): Promise<number>;
  /** Reads all rows of all blocks as JSON text, and does nothing else. */
  readRows(): Promise<void>;
  /** What it takes on disk, once nobody has it open. */
  bytes(): Promise<number>;
  /** How many of these blocks are stored. */
  countBlocks(ids: ReadonlySet<string>): Promise<number>;
}

export interface BareRow {
  readonly id: string;
  readonly payload: string;
}

export const countOf = (rows: readonly { readonly id: string }[], ids: ReadonlySet<string>): number =>
  rows.filter(({ id }) => ids.has(id)).length;

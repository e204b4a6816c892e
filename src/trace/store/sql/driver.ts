/** What a statement takes and gives. Whole numbers stay within 53 bits. */
export type SqlValue = string | number | Uint8Array | null;

/** A row, by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

export interface SqlReader {
  /**
   * What a statement ends with that selects rows to be changed: in a transaction others wait then until it is over.
   * Empty outside of transactions, and where these come one after the other.
   */
  readonly forUpdate: string;
  /**
   * @param sql with `?` for each parameter.
   * @returns the rows; R is what the statement selects, and nobody checks it again.
   */
  query<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<readonly R[]>;
}

/**
 * A database with the tables of the trace store. What a driver brings beside statements is all in which engines differ;
 * the statements of the store are the same for all.
 */
export interface SqlDriver extends SqlReader {
  readonly dialect: SqlDialect;
  /**
   * Does `work` in a transaction that sees all writes before it, and resolves when that is on disk. Its statements go
   * through the reader that it is given. If it rejects, nothing of it is stored. It may be done again from the beginning,
   * after what it did the first time was taken back.
   *
   * @param bytes about how much it writes.
   * @throws Overloaded while too much is waiting or the disk is full; whatever `work` throws.
   */
  write<T>(bytes: number, work: (transaction: SqlReader) => Promise<T>): Promise<T>;
  /** Makes writes of a kind share transactions that do not wait for each other. Undefined where `write` does so itself. */
  readonly batchWriter: BatchWriter | undefined;
  /**
   * Calls `listener` after changes by other processes, seconds later at most, until the returned function is called;
   * with the `traceKey` of the trace (or `API_KEYS`) where it is known, and else without.
   */
  watch(listener: (trace?: string) => void): () => void;
  /** Lets other processes know that a trace has changed, where they do not see it by themselves. */
  announce(trace: string): void;
  /** Rejects where the database is not the one that was opened, or gone. */
  checkFileIdentity(): Promise<void>;
  /** What the engine itself finds wrong with its files, as sentences. */
  check(): Promise<readonly string[]>;
  /** Undefined where the database is no file. */
  readonly backup: BackupDatabase | undefined;
  close(): Promise<void>;
}

/** @returns what writes an item, as `write` does; those of the same key one after the other. */
export type BatchWriter = <I, O>(work: BatchedWork<I, O>) => (item: I, key: string, bytes: number) => Promise<O>;

export interface BatchedWork<I, O> {
  /**
   * Does several at once, whose keys differ. What `forUpdate` ends leaves out rows that others are changing, so that nobody
   * is waited for. @returns the answer of each; undefined for those that are to be done alone.
   */
  runBatch(transaction: SqlReader, items: readonly I[]): Promise<readonly (PromiseSettledResult<O> | undefined)[]>;
  runSingle(transaction: SqlReader, item: I): Promise<O>;
}

export type BackupDatabase = (path: string, onProgress?: (done: number, all: number) => void) => Promise<void>;

export interface SqlDialect {
  /** The condition that a column has one of the values of a parameter that `list` has made. */
  columnIn(column: string): string;
  list(values: Iterable<string | number>): SqlValue;
  /**
   * What reads the rows of a table whose column has one of the values of a parameter that `list` has made of texts that
   * differ, and whose column `of` has the number of a second parameter, each by the index of the two.
   */
  rowsWith(table: string, column: string, of: string): string;
  /** The condition that a column of numbers and one of texts are like one of the pairs of a parameter: JSON, `[[1, "a"]]`. */
  pairIn(column: string, other: string): string;
  /** The condition that a column is like a pattern in which `\` escapes; capitals of ASCII are like small letters. */
  like(column: string): string;
  /** The JSON of a text that is not null. */
  quote(text: string): string;
  /** A number of SQL that does not leave its range when it is added and multiplied, out of a double. */
  toExactNumeric(double: string): string;
  /** The double that comes nearest to a number that `exact` has begun. */
  toDouble(exact: string): string;
  /** The variance of doubles whose squares stay in their range; undefined where the engine has no function for it. */
  readonly variance: ((doubles: string) => string) | undefined;
  /** `trace_rows`, read by run in the order in which a run's traces stand, wherever the engine would choose another one. */
  readonly tracesByRun: string;
  /** Writes rows that all have the same columns, at least one, in their order. */
  insertAll(transaction: SqlReader, table: string, rows: readonly SqlRow[]): Promise<void>;
  /** Changes rows, at least one, to what is given for all of them, each where the column `key` is the same. */
  updateAll(transaction: SqlReader, table: string, rows: readonly SqlRow[], key: string): Promise<void>;
  /** Whether another process has written meanwhile what has to be unique. */
  isDuplicate(error: unknown): boolean;
}

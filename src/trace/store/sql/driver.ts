import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailableError } from '../../model/index.ts';

/** A parameter or a column. Whole numbers stay within 53 bits. */
export type SqlValue = string | number | Uint8Array | null;

/** A row, by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Content for which a database was opened, as messages name it. */
export type DatabaseContent = 'trace' | 'journal';

export interface SqlReader {
  readonly dialect: SqlDialect;
  /**
   * Suffix of a SELECT whose rows will be updated: in a transaction, other transactions then wait for it to end. Empty
   * outside of transactions, and if the engine runs one transaction at a time.
   */
  readonly forUpdate: string;
  /**
   * Runs a statement.
   *
   * @param sql with `?` for each parameter.
   * @returns the rows; R is the type of what the statement selects, and is not validated.
   */
  query<R extends object>(sql: string, params?: readonly SqlValue[]): Promise<readonly R[]>;
}

/**
 * A database engine, opened with the tables of the trace store. The statements of the store are the same for all engines;
 * a driver provides everything else.
 */
export interface SqlDriver extends SqlReader {
  /**
   * Runs `work` in a transaction that sees all earlier writes; resolves when it is on disk. If `work` rejects, nothing of
   * it is stored. `work` may run again from the beginning after a rollback, and uses only the reader that it receives.
   *
   * @param bytes approximate size of the write.
   * @throws StoreUnavailableError if too much is waiting or the disk is full; every error of `work`.
   */
  write<T>(bytes: number, work: (transaction: SqlReader) => Promise<T>): Promise<T>;
  /** Lets writes of one kind share transactions and statements. */
  readonly batchWriter: BatchWriter;
  /**
   * Calls `listener` within seconds after changes by other processes, with the `traceKey` of the changed trace (or
   * `API_KEYS_CHANGED`) if it is known. @returns a function that stops this.
   */
  watch(listener: (trace?: string) => void): () => void;
  /** Notifies other processes that a trace has changed, unless they detect it themselves. */
  announce(trace: string): void;
  /** Rejects if the database was replaced or deleted since it was opened. */
  checkFileIdentity(): Promise<void>;
  /** Runs the integrity check of the engine. @returns a sentence per problem. */
  check(): Promise<readonly string[]>;
  /** Undefined if the database is not a file. */
  readonly backup: BackupDatabase | undefined;
  close(): Promise<void>;
}

/** Returns a function that writes one item, as `write` does. Items with the same key are written one after the other. */
export type BatchWriter = <I, O>(work: BatchedWork<I, O>) => (item: I, key: string, bytes: number) => Promise<O>;

export interface BatchedWork<I, O> {
  /**
   * Writes items with different keys. `forUpdate` of the transaction skips locked rows, so that a batch never waits.
   *
   * @returns the result of each item; undefined for those that `runSingle` has to write.
   */
  runBatch(transaction: SqlReader, items: readonly I[]): Promise<readonly (PromiseSettledResult<O> | undefined)[]>;
  runSingle(transaction: SqlReader, item: I): Promise<O>;
}

export type BackupDatabase = (path: string, onProgress?: (done: number, all: number) => void) => Promise<void>;

/** SQL that differs between engines. */
export interface SqlDialect {
  /** Condition that a column has one of the values of a parameter made by `list`. */
  columnIn(column: string): string;
  list(values: Iterable<string | number>): SqlValue;
  /**
   * Table expression for the rows whose `column` has one of the distinct texts of a first parameter, made by `list`, and
   * whose column `and` equals a second parameter. Uses the index of the two columns.
   */
  rowsWith(table: string, column: string, and: string): string;
  /** Condition that a numeric and a text column equal one of the pairs of a JSON parameter such as `[[1, "a"]]`. */
  pairIn(column: string, other: string): string;
  /** Condition that a column matches a pattern with the escape character `\`; ignores the case of ASCII letters. */
  like(column: string): string;
  /** JSON of a text that is not null. */
  quote(text: string): string;
  /** Converts a double to a number that does not overflow in sums and products. */
  toExactNumeric(double: string): string;
  /** Converts the result of `toExactNumeric` to the nearest double. */
  toDouble(exact: string): string;
  /** Variance of doubles whose squares do not overflow; undefined if the engine has no such function. */
  readonly variance: ((doubles: string) => string) | undefined;
  /** `trace_rows AS t`, with a hint to read it by run and time if the planner would choose another index. */
  readonly tracesByRun: string;
  /** Inserts rows in their order. @param rows at least one, all with the same columns. */
  insertAll(transaction: SqlReader, table: string, rows: readonly SqlRow[]): Promise<void>;
  /** Updates rows that are identified by the column `key`. @param rows at least one, all with the same columns. */
  updateAll(transaction: SqlReader, table: string, rows: readonly SqlRow[], key: string): Promise<void>;
  /** Reports whether an error is the violation of a unique index or of a rule for one. */
  isDuplicate(error: unknown): boolean;
}

/** Approximate size of a small write, for `SqlDriver.write`. */
export const SMALL_WRITE = 1024;

/** Error of a write that would exceed the limit of `write`. */
export const writeQueueFull = (queuedBytes: number, maxBytes: number): StoreUnavailableError =>
  new StoreUnavailableError(
    `${queuedBytes} of at most ${maxBytes} bytes are waiting to be written; nothing was stored`,
  );

/** Limits of the writes of one transaction, so that reads get their turn between two. */
export const MAX_BATCH_JOBS = 256;
export const MAX_BATCH_BYTES = 8 * 1024 * 1024;

/** Waits for the jobs of this turn of the event loop, and of further turns as long as each adds jobs. */
export async function waitForBatch(count: () => number, isFull: () => boolean): Promise<void> {
  let before: number;
  do {
    before = count();
    await nextTurn();
  } while (count() > before && !isFull());
}

/** Attempts of a write that conflicts with a concurrent one; the second attempt sees the other write. */
const TRIES = 3;

/** Retries a write if another process has written the same row meanwhile; the next attempt finds it. */
export async function writeOnce<T>({ dialect }: SqlDriver, write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await write();
    } catch (error) {
      if (tries === TRIES || !dialect.isDuplicate(error)) throw error;
    }
  }
}

import { errorMessage } from '../../../../core/index.ts';
import { StoreUnavailableError } from '../../../model/index.ts';

/** Seconds. The operator has to restore the database. */
export const RETRY_AFTER = 30;

/** Codes of PostgreSQL, and classes of them, that say that the same may succeed later. */
const CONNECTION_CLASS = '08';
const RESOURCES_CLASS = '53';
const OPERATOR_CLASS = '57';
const READ_ONLY = '25006';
const IDLE_TOO_LONG = '25P03';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
const UNIQUE_VIOLATION = '23505';
const INVALID_VALUE = '22023';

/** The database, the schema or a table is not there any more. */
const GONE: readonly string[] = ['3D000', '3F000', '42P01'];

const LATER_CLASSES: readonly string[] = [CONNECTION_CLASS, RESOURCES_CLASS, OPERATOR_CLASS];
const LATER: readonly string[] = [READ_ONLY, IDLE_TOO_LONG, SERIALIZATION_FAILURE, DEADLOCK, LOCK_NOT_AVAILABLE];

/** What the server itself has answered; by its fields, because it may come from another realm. */
const sqlState = (error: unknown): string | undefined =>
  isObject(error) && 'severity' in error && 'code' in error ? String(error.code) : undefined;

const isObject = (error: unknown): error is object => typeof error === 'object' && error !== null;

/** What pg says where a connection was not made or is lost; none of it has a code. */
const LOST = /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying)/;

/** What a socket says. */
const SOCKET = /^(ECONN|EPIPE|ENOENT|ENETUNREACH|EHOST|ETIMEDOUT|ENOTFOUND|EAI_)/;

const isLost = (error: unknown): boolean =>
  isObject(error) &&
  (('code' in error && SOCKET.test(String(error.code))) || ('message' in error && LOST.test(String(error.message))));

/** Whether the server cannot be reached or cannot do it at the moment. */
export function isTemporary(error: unknown): boolean {
  const code = sqlState(error);
  if (code === undefined) return isLost(error);
  return LATER_CLASSES.includes(code.slice(0, 2)) || LATER.includes(code);
}

/** Whether two transactions were in the way of each other, and one was told to begin again. @param error as the store says it. */
export const isSerializationConflict = (error: unknown): boolean =>
  error instanceof StoreUnavailableError && [SERIALIZATION_FAILURE, DEADLOCK].includes(sqlState(error.cause) ?? '');

/** Whether PostgreSQL has said why it does not store something, and so has not. @param error as the store says it. */
export const isServerError = (error: unknown): boolean =>
  sqlState(error instanceof StoreUnavailableError ? error.cause : error) !== undefined;

/** Whether the number of a transaction is one that the server has not given yet, or not since it started again. */
export const isFutureTransaction = (error: unknown): boolean => sqlState(error) === INVALID_VALUE;

/** An index has refused it, or a rule that speaks like one. */
export const isPostgresDuplicate = (error: unknown): boolean => sqlState(error) === UNIQUE_VIOLATION;

/** What the store rejects with: `Overloaded` where it may succeed later. @param end of the sentence. */
export function toPostgresStoreError(error: unknown, end: string): unknown {
  if (GONE.includes(sqlState(error) ?? '')) {
    const message = `the trace database or its tables are gone: ${errorMessage(error)}; ${end}. Restore them, or restart the server to make new ones`;
    return new StoreUnavailableError(message, { cause: error, retryAfterSeconds: RETRY_AFTER });
  }
  if (!isTemporary(error)) return error;
  return new StoreUnavailableError(`PostgreSQL does not answer: ${errorMessage(error)}; ${end}`, { cause: error });
}

import { errorMessage } from '../../../../core/index.ts';
import { StoreUnavailableError } from '../../../model/index.ts';

/** In seconds; the operator has to restore the database first. */
export const RETRY_AFTER = 30;

/** SQLSTATE codes. */
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const UNIQUE_VIOLATION = '23505';
const INVALID_VALUE = '22023';

/** Missing database, schema or table. */
const GONE: readonly string[] = ['3D000', '3F000', '42P01'];

/** Classes of errors after which a retry may succeed: connection, resources, intervention of the operator. */
const LATER_CLASSES: readonly string[] = ['08', '53', '57'];
/** Codes of such errors, also: read only, idle too long, lock not available. */
const LATER: readonly string[] = [SERIALIZATION_FAILURE, DEADLOCK, '25006', '25P03', '55P03'];

/** Returns the SQLSTATE of an error from the server. The error may come from another realm. */
const sqlState = (error: unknown): string | undefined =>
  isObject(error) && 'severity' in error && 'code' in error ? String(error.code) : undefined;

const isObject = (error: unknown): error is object => typeof error === 'object' && error !== null;

/** Messages of pg about failed and lost connections, which have no code. */
const LOST = /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying)/;

/** Codes of socket errors. */
const SOCKET = /^(ECONN|EPIPE|ENOENT|ENETUNREACH|EHOST|ETIMEDOUT|ENOTFOUND|EAI_)/;

const isLost = (error: unknown): boolean =>
  isObject(error) &&
  (('code' in error && SOCKET.test(String(error.code))) || ('message' in error && LOST.test(String(error.message))));

/** Reports whether the server cannot be reached, or temporarily cannot do the work. */
export function isTemporary(error: unknown): boolean {
  const code = sqlState(error);
  if (code === undefined) return isLost(error);
  return LATER_CLASSES.includes(code.slice(0, 2)) || LATER.includes(code);
}

/** Reports whether a transaction conflicted with another and must be repeated. @param error error of the store. */
export const isSerializationConflict = (error: unknown): boolean =>
  error instanceof StoreUnavailableError && [SERIALIZATION_FAILURE, DEADLOCK].includes(sqlState(error.cause) ?? '');

/** Reports whether the server has rejected a transaction, which therefore is not stored. @param error error of the store. */
export const isServerError = (error: unknown): boolean =>
  sqlState(error instanceof StoreUnavailableError ? error.cause : error) !== undefined;

/** Reports whether the server has not assigned the id of a transaction yet, or not since it restarted. */
export const isFutureTransaction = (error: unknown): boolean => sqlState(error) === INVALID_VALUE;

/** Reports whether a unique index has rejected a row, or a trigger with the same code. */
export const isPostgresDuplicate = (error: unknown): boolean => sqlState(error) === UNIQUE_VIOLATION;

/** Converts an error to `StoreUnavailableError` if a retry may succeed. @param end last clause of the message. */
export function toPostgresStoreError(error: unknown, end: string): unknown {
  if (GONE.includes(sqlState(error) ?? '')) {
    const message = `the database or its tables do not exist any more: ${errorMessage(error)}; ${end}. Restore them, or restart the server to create new ones`;
    return new StoreUnavailableError(message, { cause: error, retryAfterSeconds: RETRY_AFTER });
  }
  if (!isTemporary(error)) return error;
  return new StoreUnavailableError(`PostgreSQL is not available: ${errorMessage(error)}; ${end}`, { cause: error });
}

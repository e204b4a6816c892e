import { StoreUnavailableError } from '../../../model/index.ts';

/** Primary result codes of SQLite; an extended one has its primary one in the lowest byte. */
const BUSY = 5;
const LOCKED = 6;
const IO_ERROR = 10;
const FULL = 13;
const CONSTRAINT_PRIMARY_KEY = 1555;
const CONSTRAINT_TRIGGER = 1811;
const CONSTRAINT_UNIQUE = 2067;

/** The extended result code in what node:sqlite or libsql throws; by its fields, because it may come from another realm. */
function resultCode(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  if ('errcode' in error) return Number(error.errcode);
  return 'rawCode' in error ? Number(error.rawCode) : 0;
}

const primaryResultCode = (error: unknown): number => resultCode(error) & 0xff;

/** Whether another process holds the lock that is needed; later it does not. */
export const isBusy = (error: unknown): boolean => [BUSY, LOCKED].includes(primaryResultCode(error));

/** Whether there was no room for what was written. */
export const isDiskFull = (error: unknown): boolean => primaryResultCode(error) === FULL;

/** An index has refused it, or the rule that speaks before one does. */
export const isSqliteDuplicate = (error: unknown): boolean =>
  [CONSTRAINT_PRIMARY_KEY, CONSTRAINT_UNIQUE].includes(resultCode(error)) ||
  (resultCode(error) === CONSTRAINT_TRIGGER && String(error).includes('duplicate: '));

/** What a write rejects with: `Overloaded` where it may succeed later. */
export function toSqliteStoreError(error: unknown): unknown {
  if (isDiskFull(error))
    return new StoreUnavailableError('the disk of the trace store is full; nothing was stored', { cause: error });
  if (isBusy(error)) {
    return new StoreUnavailableError('another process keeps the trace database locked; nothing was stored', {
      cause: error,
    });
  }
  if (primaryResultCode(error) === IO_ERROR) {
    return new StoreUnavailableError('the disk of the trace store does not take writes; nothing was stored', {
      cause: error,
    });
  }
  return error;
}

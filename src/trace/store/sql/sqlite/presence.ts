import { realpathSync, statSync } from 'node:fs';
import { errorMessage, hasCode } from '../../../../core/index.ts';
import { StoreUnavailableError } from '../../../model/index.ts';

/** Seconds. Writes are refused until the server is restarted. */
const RETRY_AFTER = 30;

export interface FileIdentityCheck {
  /**
   * Takes some microseconds. Once it has thrown because files are gone, it does so for ever: a file that comes back may
   * have been written by others meanwhile.
   *
   * @throws Overloaded where the files that are open are not those that have the name any more.
   */
  check(): void;
}

/**
 * Compares the files of an open database with those that have its name: SQLite goes on writing into a file that was
 * removed or replaced, and what it commits there is lost with the process. The write-ahead log and its index count too.
 *
 * @param file of a database that is open in the mode WAL and has been read, so that all of its files are there.
 */
export function createFileIdentityCheck(file: string): FileIdentityCheck {
  const names = [file, ...['-wal', '-shm'].map((suffix) => realpathSync(file) + suffix)];
  const opened = names.map(identityOf);
  let isGone = false;
  return {
    check() {
      isGone ||= names.some((name, place) => identityOf(name) !== opened[place]);
      if (!isGone) return;
      const message =
        `the trace database ${file} is gone or another file: it, its -wal or its -shm was removed or replaced while it was ` +
        'open. Writes are refused until it is opened again (restart the server); what was stored before can still be ' +
        'read and exported until then';
      throw new StoreUnavailableError(message, { retryAfterSeconds: RETRY_AFTER });
    },
  };
}

/** Identifies the file that has a name; no other file gets the same identity while it is open. Undefined if there is no file. */
function identityOf(name: string): string | undefined {
  try {
    const { dev, ino } = statSync(name, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    const message = `the trace database cannot be looked at: ${errorMessage(error)}; nothing was stored`;
    throw new StoreUnavailableError(message, { cause: error });
  }
}

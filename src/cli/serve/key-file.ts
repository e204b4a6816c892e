import { readFileSync, statSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { errorMessage } from '../../core/index.ts';
import { type Authenticate, apiKeys } from '../../server/index.ts';
import { WatchedFiles } from './watched-files.ts';

/** Holds keys as a file does, or separated by commas. */
export const VARIABLE = 'ORS_API_KEYS';

const OTHERS_READ = 0o044;

/**
 * Those who have a key of the file or the variable; undefined if there is neither. The variable is taken away, so that
 * commands which tools run do not have it. The file is read anew whenever it changes; while it holds something that is no
 * key, or nothing, the keys from before go on.
 *
 * @throws Error that says what is wrong with the file or the variable, and never a key.
 */
export function loadKeys(file: string | undefined, log: Logger): Authenticate | undefined {
  const listed = process.env[VARIABLE]?.split(/[\n,]/);
  delete process.env[VARIABLE];
  if (file === undefined) return listed && read(VARIABLE, () => apiKeys(listed));
  const load = () => read(file, () => apiKeys([...readFileSync(file, 'utf8').split('\n'), ...(listed ?? [])]));
  let authenticate = load();
  const listeners = new Set<() => void>();
  const watched = new WatchedFiles(() => {
    try {
      authenticate = load();
      log.info({ file }, 'the API keys have been read anew');
      for (const listener of listeners) listener();
    } catch (error) {
      log.error({ file, error: errorMessage(error) }, 'the API keys from before go on');
    }
  });
  watched.add(file);
  return Object.assign((headers: IncomingHttpHeaders) => authenticate(headers), {
    onChange: (listener: () => void) => void listeners.add(listener),
  });
}

/** Says so if others than its owner can read a file of keys. @throws Error if there is no such file. */
export function warnIfReadableByOthers(file: string): void {
  const { mode } = read(file, () => statSync(file));
  // Windows has no such bits, and Node shows some that say nothing.
  if (process.platform === 'win32' || (mode & OTHERS_READ) === 0) return;
  const bits = (mode & 0o777).toString(8);
  process.stderr.write(
    `ors: ${file} has API keys and others than its owner can read it (mode ${bits}); chmod 600 it\n`,
  );
}

function read<T>(source: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    throw new Error(`the API keys of ${source} cannot be used: ${errorMessage(error)}`, { cause: error });
  }
}

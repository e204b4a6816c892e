import { readFileSync, statSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import {
  definedFields,
  errorCode,
  errorMessage,
  hasCode,
  isLoopbackHost,
  withoutByteOrderMark,
} from '../../core/index.ts';
import { fileProblem } from '../../core/node/index.ts';
import { refuseExposure } from '../../http/index.ts';
import { type Authenticate, apiKeys, type ServerOptions } from '../../server/index.ts';
import { defineFlags, type FlagValues } from '../command.ts';
import { WatchedFiles } from './watched-files.ts';

/** API keys, one per line or separated by commas. */
const VARIABLE = 'ORS_API_KEYS';

export const accessFlags = defineFlags(
  {
    '--api-keys <file>': `keys that clients need, one name:key per line (or ${VARIABLE})`,
    '--open-path <path...>':
      'paths that need no key, including everything below them, such as /metrics or /docs; / is the page at / only; /health, /ready and /ui/ never need one',
    '--cors-origin <origin...>': "origins whose pages may use the server, such as https://example.org; '*' for all",
    '--allowed-host <name...>': 'host names that a local server without keys accepts',
    '--insecure': 'allow other machines without keys: everyone who reaches the address can run the tools',
  },
  'Access:',
);

type AccessFlags = FlagValues<typeof accessFlags> & { readonly host: string };

/**
 * Warns about insecure access options.
 *
 * @throws TypeError if other machines can reach the address without keys; Error if the key file cannot be read.
 */
export function assertAccessOptions({ host, apiKeys, insecure }: AccessFlags): void {
  const hasKeys = apiKeys !== undefined || process.env[VARIABLE] !== undefined;
  // The server checks it too; its message names options of the library.
  refuseExposure(
    { host, hasKeys, insecure: insecure ?? false },
    {
      danger: 'run the tools of its environments',
      keys: `--api-keys <file> or ${VARIABLE}`,
      confirm: '--insecure',
    },
  );
  if (apiKeys !== undefined) warnIfReadableByOthers(apiKeys);
  if (hasKeys || isLoopbackHost(host)) return;
  process.stderr.write(
    `ors: --insecure: everyone who reaches ${host} can play, and run everything that the tools run\n`,
  );
}

/** Returns the access options of the server and deletes the keys from the environment. @throws Error for invalid keys. */
export function toAccessOptions(flags: AccessFlags, log: Logger): ServerOptions & { readonly insecure: boolean } {
  const { host, openPath, corsOrigin, allowedHost, insecure } = flags;
  const authenticate = loadKeys(flags.apiKeys, log);
  const isGuarded = allowedHost !== undefined || (isLoopbackHost(host) && !authenticate);
  return {
    insecure: insecure ?? false,
    ...definedFields({ authenticate, openPaths: openPath, corsOrigins: corsOrigin }),
    ...(isGuarded && { allowedHosts: allowedHost ?? [] }),
  };
}

const OTHERS_READ = 0o044;

/**
 * Loads the keys of the file and the variable; undefined if there is neither. Deletes the variable, so that commands that
 * tools run do not inherit it. The file is reloaded when it changes; while it is invalid or empty, the previous keys apply.
 *
 * @throws Error without a key in its message.
 */
function loadKeys(file: string | undefined, log: Logger): Authenticate | undefined {
  const listed = process.env[VARIABLE]?.split(/[\n,]/);
  delete process.env[VARIABLE];
  if (file === undefined) return listed && read(VARIABLE, () => apiKeys(listed));
  const lines = () => withoutByteOrderMark(readFileSync(file, 'utf8')).split('\n');
  const load = () => read(file, () => apiKeys([...lines(), ...(listed ?? [])]));
  let authenticate = load();
  const listeners = new Set<() => void>();
  const watched = new WatchedFiles(() => {
    try {
      authenticate = load();
      log.info({ file }, 'API keys reloaded');
      for (const listener of listeners) listener();
    } catch (error) {
      log.error({ file, error: errorMessage(error) }, 'cannot reload the API keys; the previous ones still apply');
    }
  });
  watched.add(file);
  return Object.assign((headers: IncomingHttpHeaders) => authenticate(headers), {
    onChange: (listener: () => void) => void listeners.add(listener),
  });
}

/** Warns if users other than the owner can read the key file. @throws Error if there is no such file. */
function warnIfReadableByOthers(file: string): void {
  const { mode } = read(file, () => statSync(file));
  // The mode that Node reports on Windows is meaningless.
  if (process.platform === 'win32' || (mode & OTHERS_READ) === 0) return;
  const bits = (mode & 0o777).toString(8);
  process.stderr.write(`ors: ${file} has API keys and other users can read it (mode ${bits}); run chmod 600\n`);
}

function read<T>(source: string, load: () => T): T {
  try {
    return load();
  } catch (error) {
    throw new Error(describeKeyError(source, error), { cause: error });
  }
}

function describeKeyError(source: string, error: unknown): string {
  if (hasCode(error, 'ENOENT')) return `there is no file ${source}; check the path in --api-keys`;
  if (errorCode(error) === undefined) return `invalid API keys in ${source}: ${errorMessage(error)}`;
  return `--api-keys: cannot read ${source}: ${fileProblem(error)}`;
}

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { explainBubblewrapError } from './bubblewrap-error.ts';
import { SandboxError } from './sandbox-error.ts';

/** PATH of the processes around a sandbox. The server's own names folders of the host, and /proc/1/environ shows it. */
export const SANDBOX_PATH_VARIABLE = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Absolute path of a program in the server's PATH. Throws a SandboxError that says what to install if there is none. */
export function findProgram(name: string): string {
  const paths = (process.env.PATH ?? SANDBOX_PATH_VARIABLE).split(delimiter).map((folder) => join(folder, name));
  const found = paths.find(isExecutable);
  if (found !== undefined) return found;
  throw new SandboxError('unavailable', explainBubblewrapError(`${name}: not found`));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

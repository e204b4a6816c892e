import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** PATH of the processes around a sandbox. The server's own names folders of the host, and /proc/1/environ shows it. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Absolute path of a program in the server's PATH; its bare name if it is not there, so that starting it says so. */
export function findProgram(name: string): string {
  const paths = (process.env.PATH ?? SYSTEM_PATH).split(delimiter).map((folder) => join(folder, name));
  return paths.find(isExecutable) ?? name;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { basename, resolve } from 'node:path';
import { oneLine } from '../../core/index.ts';
import { RESERVED_NAMES } from '../../protocol/index.ts';
import { CliError } from '../failure.ts';

/** What both an environment and a package can be called; upper case is made small for the package. */
const NAME = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,62}[A-Za-z0-9])?$/;
/** A package that needs another of its own name is refused by npm. */
const NO_PACKAGES: ReadonlySet<string> = new Set(['ors-kit', 'tsx', 'typescript', 'zod', 'node_modules']);

/** The name that was given, or that of the folder. @throws Failure if nothing can be called so. */
export function chooseProjectName(folder: string, given: string | undefined): string {
  if (given !== undefined) return checked(given, 'give another with --name');
  const own = basename(resolve(folder));
  const name = own.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
  return checked(name === '' ? own : name.slice(0, 64).replace(/[^A-Za-z0-9]+$/, ''), 'give one with --name');
}

function checked(name: string, advice: string): string {
  const shown = oneLine(name);
  if (!NAME.test(name)) {
    const rule = "it must be 1 to 64 letters, digits, '-', '_' or '.', and begin and end with a letter or digit";
    throw new CliError(`nothing can be called '${shown}': ${rule}; ${advice}`);
  }
  if (RESERVED_NAMES.has(name.toLowerCase()) || NO_PACKAGES.has(name.toLowerCase())) {
    const owner = RESERVED_NAMES.has(name.toLowerCase()) ? 'a path of the protocol' : 'a package that it needs';
    throw new CliError(`'${shown}' is the name of ${owner}; ${advice}`);
  }
  return name;
}

import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errorCode, errorMessage, isInstance } from '../core/index.ts';
import type { Environment } from '../environment/index.ts';

/**
 * Imports a module and returns the environments that it exports, default export first.
 *
 * @param module a `file:` URL.
 * @throws Error with the path if the module does not exist, does not load, or exports no environment.
 */
export async function importEnvironments(module: string): Promise<Environment[]> {
  const path = fileURLToPath(module);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`${relative('', path) || '.'} is a folder; name a file in it, such as environment.ts`);
  }
  const { default: first, ...others } = await importModule(module);
  const environments = [...new Set([first, ...Object.values(others)].flat())].filter(isEnvironment);
  if (environments.length > 0) return environments;
  throw new Error(`${relative('', path)} exports no environment; write: export default defineEnvironment({ ... })`);
}

const isEnvironment = (value: unknown): value is Environment =>
  typeof value === 'object' && value !== null && 'splitTasks' in value && 'hooks' in value && 'splits' in value;

/**
 * Imports a module of an author, with tsx if it is TypeScript.
 *
 * @param module a `file:` URL.
 * @throws Error with the path if the module does not exist or does not load.
 */
export async function importModule(module: string): Promise<Readonly<Record<string, unknown>>> {
  const path = fileURLToPath(module);
  if (!existsSync(path)) throw new Error(`there is no file ${path}`);
  if (/\.[mc]?tsx?$/.test(path)) await prepareTypeScript(path);
  return import(module).catch((cause: unknown) => {
    throw new Error(`${relative('', path)} does not load: ${describeLoadError(cause)}`, { cause });
  });
}

async function prepareTypeScript(path: string): Promise<void> {
  // tsx reads such a path as a URL with a query.
  if (path.includes('?')) {
    // From Node 22.18 on, true for the types that it removes itself.
    if ((process.features as { typescript?: unknown }).typescript) return;
    const advice = 'rename the folder, or use Node 22.18 or newer';
    throw new Error(`${relative('', path)} does not load: tsx does not support a path with '?'; ${advice}`);
  }
  try {
    const { register } = await import('tsx/esm/api');
    register();
  } catch (cause) {
    throw new Error('TypeScript modules need the package tsx; install it with: npm install tsx', { cause });
  }
}

/** Describes in one line why a module does not load, with the file and line if they are known. */
function describeLoadError(cause: unknown): string {
  if (!isInstance(cause, Error)) return errorMessage(cause);
  // In a CommonJS package, TypeScript is compiled to CommonJS, which cannot import this package.
  if (errorCode(cause) === 'ERR_REQUIRE_CYCLE_MODULE') {
    return 'it is CommonJS by its package.json; run there: npm pkg set type=module';
  }
  const [, file, position, text] = cause.message.match(/^(.+?):(\d+:\d+): ERROR: (.*)$/m) ?? [];
  if (file !== undefined) return `${text} (${relative('', file)}:${position})`;
  const [firstLine = ''] = cause.message.split('\n');
  const location = authorLocation(cause.stack ?? '');
  return location === undefined ? firstLine : `${firstLine} (${location})`;
}

/** Returns the first location in author code of a stack: a frame, or the `file:line` that Node writes above it. */
function authorLocation(stack: string): string | undefined {
  for (const line of stack.split('\n')) {
    const [, file, position] =
      line.match(/^(?:.*\(| +at (?:async )?)?((?:file:\/\/|\/|[A-Z]:\\).+?):(\d+(?::\d+)?)\)?$/) ?? [];
    if (file === undefined) continue;
    const path = file.startsWith('file:') ? fileURLToPath(file.replace(/\?.*$/, '')) : file;
    if (isAuthorFile(path)) return `${relative('', path)}:${position}`;
  }
  return undefined;
}

const packageFolder = dirname(createRequire(import.meta.url).resolve('ors-kit/package.json'));

/** Returns true if a file belongs to the author, not to this package or another one. */
export function isAuthorFile(path: string): boolean {
  return (
    !/[\\/]node_modules[\\/]/.test(path) &&
    !/^((src|generated|dist)[\\/]|package\.json$)/.test(relative(packageFolder, path))
  );
}

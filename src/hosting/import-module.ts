import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeLoadError } from './describe-load-error.ts';

/**
 * Imports a module of an author, a `file:` URL, by tsx where it is TypeScript.
 *
 * @throws Error naming the module if it is not there or does not load.
 */
export async function importModule(module: string): Promise<Readonly<Record<string, unknown>>> {
  const path = fileURLToPath(module);
  if (!existsSync(path)) throw new Error(`there is no file ${path}`);
  if (/\.[mc]?tsx?$/.test(path)) await readTypeScript();
  return import(module).catch((cause: unknown) => {
    throw new Error(`${relative('', path)} does not load: ${describeLoadError(cause)}`, { cause });
  });
}

async function readTypeScript(): Promise<void> {
  try {
    const { register } = await import('tsx/esm/api');
    register();
  } catch (cause) {
    throw new Error('TypeScript modules need the package tsx; install it with: npm install tsx', { cause });
  }
}

import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../environment/index.ts';
import { describeLoadError } from './describe-load-error.ts';

/**
 * Imports a module, a `file:` URL, and takes the environments that it exports, default export first.
 *
 * @throws Error naming the module if it is not there, does not load, or exports no environment.
 */
export async function importEnvironments(module: string): Promise<Environment[]> {
  const path = fileURLToPath(module);
  if (!existsSync(path)) throw new Error(`there is no file ${path}`);
  if (/\.[mc]?tsx?$/.test(path)) await readTypeScript();
  const shown = relative('', path);
  const exports: Record<string, unknown> = await import(module).catch((cause: unknown) => {
    throw new Error(`${shown} does not load: ${describeLoadError(cause)}`, { cause });
  });
  const { default: first, ...others } = exports;
  const environments = [...new Set([first, ...Object.values(others)].flat())].filter(isEnvironment);
  if (environments.length > 0) return environments;
  throw new Error(`${shown} exports no environment; write: export default defineEnvironment({ ... })`);
}

const isEnvironment = (value: unknown): value is Environment =>
  typeof value === 'object' && value !== null && 'sources' in value && 'author' in value && 'splits' in value;

async function readTypeScript(): Promise<void> {
  try {
    const { register } = await import('tsx/esm/api');
    register();
  } catch (cause) {
    throw new Error('TypeScript modules need the package tsx; install it with: npm install tsx', { cause });
  }
}

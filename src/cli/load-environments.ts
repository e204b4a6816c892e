import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../environment/index.ts';
import { describeLoadError } from './describe-load-error.ts';

/**
 * Imports modules and takes the environments that they export, default export first.
 *
 * @throws Error naming the module that is not there, does not load, or exports no environment.
 */
export async function loadEnvironments(modules: readonly string[]): Promise<Environment[]> {
  if (modules.some((module) => /\.[mc]?tsx?$/.test(module))) await readTypeScript();
  const environments = await Promise.all(modules.map(load));
  return environments.flat();
}

async function load(module: string): Promise<Environment[]> {
  const path = resolve(module);
  if (!existsSync(path)) throw new Error(`there is no file ${path}`);
  const exports: Record<string, unknown> = await import(pathToFileURL(path).href).catch((cause: unknown) => {
    throw new Error(`${module} does not load: ${describeLoadError(cause)}`, { cause });
  });
  const { default: first, ...others } = exports;
  const environments = [...new Set([first, ...Object.values(others)].flat())].filter(isEnvironment);
  if (environments.length > 0) return environments;
  throw new Error(`${module} exports no environment; write: export default defineEnvironment({ ... })`);
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

import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../environment/index.ts';
import { importModule } from './import-module.ts';

/**
 * Imports a module, a `file:` URL, and takes the environments that it exports, default export first.
 *
 * @throws Error naming the module if it is not there, does not load, or exports no environment.
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

import { createRequire } from 'node:module';
import { dirname, relative } from 'node:path';

const folder = dirname(createRequire(import.meta.url).resolve('ors-kit/package.json'));

/** Whether a file is the author's, and not of this package or another one. */
export function isAuthorFile(path: string): boolean {
  return (
    !/[\\/]node_modules[\\/]/.test(path) && !/^((src|generated|dist)[\\/]|package\.json$)/.test(relative(folder, path))
  );
}

import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const require = createRequire(import.meta.url);
const path = require.resolve('ors-kit/package.json');

/**
 * Name and version of this package.
 *
 * @example
 * console.log(PACKAGE.name, PACKAGE.version);
 */
export const PACKAGE: { readonly name: string; readonly version: string } = require(path);

/** Folder of this package. */
export const PACKAGE_FOLDER = dirname(path);

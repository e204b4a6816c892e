import { access, constants, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { ConformanceResults } from '../../../generated/conformance-results.ts';
import { type BadgeParts, badgeSvg } from './badge.ts';
import { reportHtml } from './html.ts';
import { junitXml } from './junit.ts';

/** Writes results.json, junit.xml, report.html and badge.svg into a folder, which is made if it is not there. */
export async function writeReports(
  folder: string,
  results: ConformanceResults,
  parts: BadgeParts = {},
): Promise<string[]> {
  const files: Readonly<Record<string, string>> = {
    'results.json': `${JSON.stringify(results, null, 1)}\n`,
    'junit.xml': junitXml(results),
    'report.html': await reportHtml(results),
    'badge.svg': badgeSvg(results, parts),
  };
  await makeFolder(folder);
  const paths = Object.entries(files).map(([name, text]) => [join(folder, name), text] as const);
  await Promise.all(paths.map(([path, text]) => writeFile(path, text)));
  return paths.map(([path]) => path);
}

/**
 * Makes a folder, and those that it is in, and sees that files can be written there. Rejects with the error of the file
 * system. One by one: on some file systems Node does not come to an end with all at once.
 */
export async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let path = resolve(folder); !(await isThere(path)) && path !== dirname(path); path = dirname(path)) {
    missing.unshift(path);
  }
  for (const path of missing) await mkdir(path).catch(unlessMade);
  if (!(await stat(folder)).isDirectory()) throw new Error('it is no folder');
  await access(folder, constants.W_OK);
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Somebody else may have made it in the meantime. */
function unlessMade(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

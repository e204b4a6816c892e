import { access, constants, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConformanceResults } from '../../../generated/conformance-results.ts';
import { makeFolder } from '../../core/node/index.ts';
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
  await makeWritableFolder(folder);
  const paths = Object.entries(files).map(([name, text]) => [join(folder, name), text] as const);
  await Promise.all(paths.map(([path, text]) => writeFile(path, text)));
  return paths.map(([path]) => path);
}

/** Creates a folder with its parents. @throws Error of the file system if files cannot be written there. */
export async function makeWritableFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  if (!(await stat(folder)).isDirectory()) throw new Error('it is no folder');
  await access(folder, constants.W_OK);
}

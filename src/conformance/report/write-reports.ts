import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConformanceResults } from '../../../generated/conformance-results.ts';
import { badgeSvg } from './badge.ts';
import { reportHtml } from './html.ts';
import { junitXml } from './junit.ts';

/** Writes results.json, junit.xml, report.html and badge.svg into a folder, which is made if it is not there. */
export async function writeReports(folder: string, results: ConformanceResults): Promise<string[]> {
  const files: Readonly<Record<string, string>> = {
    'results.json': `${JSON.stringify(results, null, 1)}\n`,
    'junit.xml': junitXml(results),
    'report.html': await reportHtml(results),
    'badge.svg': badgeSvg(results),
  };
  await mkdir(folder, { recursive: true });
  const paths = Object.entries(files).map(([name, text]) => [join(folder, name), text] as const);
  await Promise.all(paths.map(([path, text]) => writeFile(path, text)));
  return paths.map(([path]) => path);
}

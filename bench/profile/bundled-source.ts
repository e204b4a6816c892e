import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Part {
  readonly line: number;
  readonly source: string;
}

const partsByFile = new Map<string, readonly Part[]>();

/** Which of our sources a line of the built package came from; the bundler writes their names between them. */
export function bundledSource(url: string, lineNumber: number): string | undefined {
  if (!/^file:.*\/dist\/src\/.*\.js$/.test(url)) return undefined;
  const parts = partsByFile.get(url) ?? partsOf(url);
  partsByFile.set(url, parts);
  return parts.findLast(({ line }) => line <= lineNumber)?.source;
}

const partsOf = (url: string): Part[] =>
  readFileSync(fileURLToPath(url), 'utf8')
    .split('\n')
    .flatMap((text, line) => {
      const source = /^\/\/ ((?:src|generated)\/\S+\.ts)$/.exec(text)?.[1];
      return source === undefined ? [] : [{ line, source }];
    });

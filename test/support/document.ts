import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of code in a document. */
export interface CodeBlock {
  /** What stands behind the fence: `ts`, `ts part`, `python`, `sh`, `text`. */
  readonly info: string;
  readonly code: string;
  /** Where it begins: `docs/client.md:9`. */
  readonly place: string;
  /** The file that the block's first line names: `// capitals.ts`. */
  readonly file: string | undefined;
  /** The `text` block that stands right after it: what the code prints. */
  readonly output: string | undefined;
}

/** The README and all that stands in `docs/`. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`)
    .sort(),
];

/** The code blocks of a document of this repository, in order; also those that are fenced or indented in another way. */
export function codeBlocks(document: string): CodeBlock[] {
  const markdown = readFileSync(join(root, document), 'utf8');
  const fenced = /^( *)(`{3,}|~{3,})(.*)\n((?:.*\n)*?)\1\2[ \t]*$/gm;
  return [...markdown.matchAll(fenced)].map((match) => {
    const [whole, indent = '', , info = '', code = ''] = match;
    const rest = markdown.slice(match.index + whole.length);
    return {
      info: info.trim(),
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      place: `${document}:${markdown.slice(0, match.index).split('\n').length}`,
      file: code.match(/^\/\/ (\S+\.ts)\n/)?.[1],
      output: /^\n\n```text\n([\s\S]*?\n)```(?:\n|$)/.exec(rest)?.[1],
    };
  });
}

/** The files of a document, written into a folder of the checkout, so that packages are found from it. */
export interface DocumentFiles extends AsyncDisposable {
  readonly path: (file: string) => string;
}

export async function writeFiles(files: Readonly<Record<string, string>>): Promise<DocumentFiles> {
  const cache = join(root, '.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'document-'));
  await Promise.all(Object.entries(files).map(([file, code]) => writeFile(join(folder, file), code)));
  return {
    path: (file) => join(folder, file),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Fenced code block in a document. */
export interface CodeBlock {
  /** Info string after the fence: `ts`, `ts part`, `python`, `sh`, `text`. */
  readonly info: string;
  readonly code: string;
  /** Document and line of its beginning, such as `docs/client.md:9`. */
  readonly place: string;
  /** File name in the first line, such as `// capitals.ts`, or after the language of data: `json tasks.jsonl`. */
  readonly file: string | undefined;
  /** Output of the code: the content of the `text` block that follows directly. */
  readonly output: string | undefined;
}

/** README and all documents in `docs/`. */
export const DOCUMENTS: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`)
    .sort(),
];

/** Returns the code blocks of a document in order, including those with tildes or indentation. */
export function codeBlocks(document: string): CodeBlock[] {
  const markdown = readFileSync(join(root, document), 'utf8');
  const fenced = /^( *)(`{3,}|~{3,})(.*)\n((?:.*\n)*?)\1\2[ \t]*$/gm;
  return [...markdown.matchAll(fenced)].map((match) => {
    const [whole, indent = '', , info = '', code = ''] = match;
    const rest = markdown.slice(match.index + whole.length);
    const [, kind = info.trim(), named] = /^(json) (\S+)$/.exec(info.trim()) ?? [];
    return {
      info: kind,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      place: `${document}:${markdown.slice(0, match.index).split('\n').length}`,
      file: named ?? code.match(/^\/\/ (\S+\.(?:ts|mjs))\n/)?.[1],
      output: /^\n\n```text\n([\s\S]*?\n)```(?:\n|$)/.exec(rest)?.[1],
    };
  });
}

/** Files of a document, in a folder of the checkout, so that they can import packages. */
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

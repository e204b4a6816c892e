import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of code in a document. */
export interface CodeBlock {
  /** What stands behind the fence: `ts`, `ts part`, `python`, `sh`, `text`. */
  readonly info: string;
  readonly code: string;
  /** The file that the block's first line names: `// capitals.ts`. */
  readonly file: string | undefined;
  /** The `text` block after it: what the code prints. */
  readonly output: string | undefined;
}

/** The code blocks of a document of this repository, in order. */
export function codeBlocks(document: string): CodeBlock[] {
  const markdown = readFileSync(join(root, document), 'utf8');
  const blocks = [...markdown.matchAll(/^```(.+)\n([\s\S]*?)^```$/gm)].map(([, info = '', code = '']) => ({
    info,
    code,
  }));
  return blocks.map(({ info, code }, index) => {
    const next = blocks[index + 1];
    return {
      info,
      code,
      file: code.match(/^\/\/ (\S+\.ts)\n/)?.[1],
      output: next?.info === 'text' ? next.code : undefined,
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
  return { path: (file) => join(folder, file), [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

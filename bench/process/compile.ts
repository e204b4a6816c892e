import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const NOT_BUILT = 'ors-kit is not built (run `make build`)';

/** @returns whether dist/ has the file of an entry point of the package, such as `ors-kit/server`. */
export function isBuilt(entryPoint: string): boolean {
  try {
    return existsSync(createRequire(import.meta.url).resolve(entryPoint));
  } catch {
    return false;
  }
}

/**
 * Compiles a TypeScript file, and the files that it imports from its folder, into `folder`: a measured process must not
 * contain a TypeScript loader, and must import `ors-kit` from the built package instead of the sources.
 *
 * @returns the path of the compiled file.
 */
export function compile(source: URL, folder: URL): string {
  const text = readFileSync(source, 'utf8');
  for (const [, name = ''] of text.matchAll(/ from '\.\/([\w-]+)\.ts';/g))
    compile(new URL(`${name}.ts`, source), folder);
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      rewriteRelativeImportExtensions: true,
    },
  });
  mkdirSync(folder, { recursive: true });
  const path = fileURLToPath(new URL(`${basename(source.pathname, '.ts')}.js`, folder));
  // Written under another name and renamed, because another process may be loading it.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, outputText);
  renameSync(draft, path);
  return path;
}

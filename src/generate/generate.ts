import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, MissingPackageError } from '../core/index.ts';
import { fileProblem, makeFolder } from '../core/node/index.ts';
import { assertSyntax } from './compiler.ts';
import { generateFromJsonSchema } from './from-json-schema.ts';
import { generateFromOpenapi } from './from-openapi.ts';
import type { GeneratedFile, GenerateOptions } from './generated-file.ts';
import { GenerateError, loadSpec } from './load-spec.ts';

/**
 * Generates TypeScript from a specification, in memory. From an OpenAPI document: types, operation table, document,
 * validators, client and JSON Schema; from a JSON Schema: types, document and validators. The output is deterministic.
 *
 * @param path path of the specification, YAML or JSON.
 * @throws GenerateError if the specification cannot be read or is not valid, or if a package is missing.
 * @example
 * await writeFiles('generated', await generate('spec/shop.openapi.yaml'));
 */
export async function generate(path: string, options: GenerateOptions = {}): Promise<GeneratedFile[]> {
  try {
    const loaded = await loadSpec(path);
    const spec = { ...loaded, name: options.name ?? loaded.name };
    const files = await (spec.kind === 'openapi'
      ? generateFromOpenapi(spec, options)
      : generateFromJsonSchema(spec, options));
    await assertSyntax(files);
    return files;
  } catch (error) {
    const reason = errorMessage(error).replaceAll(/\s+/g, ' ').trim();
    throw new GenerateError(error instanceof MissingPackageError ? reason : `${path}: ${reason}`, { cause: error });
  }
}

/**
 * Writes files into a folder; creates the folder if it does not exist.
 *
 * @throws GenerateError if the folder is not writable.
 * @example
 * await writeFiles('generated', files);
 */
export async function writeFiles(folder: string, files: readonly GeneratedFile[]): Promise<void> {
  try {
    await makeFolder(folder);
    for (const { name, text } of files) await writeFile(join(folder, name), text);
  } catch (error) {
    const reason = fileProblem(error, 'write');
    throw new GenerateError(`cannot write into ${folder}: ${reason}; choose another folder with --out`, {
      cause: error,
    });
  }
}

/**
 * Returns the paths of files that are missing in a folder or have another text there.
 *
 * @example
 * if ((await staleFiles('generated', files)).length > 0) process.exitCode = 1;
 */
export async function staleFiles(folder: string, files: readonly GeneratedFile[]): Promise<string[]> {
  const stale: string[] = [];
  for (const { name, text } of files) {
    const written = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (written !== text) stale.push(join(folder, name));
  }
  return stale;
}

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { loadOptionalPackage } from '../core/index.ts';
import type { GeneratedFile } from './generated-file.ts';
import { GenerateError } from './load-spec.ts';

/**
 * Loads the compiler that openapi-typescript uses. The project may have another version, and syntax trees of two versions
 * do not fit together.
 *
 * @throws GenerateError if that version has no compiler API.
 */
export async function loadCompiler(): Promise<typeof import('typescript')> {
  const generator = await loadOptionalPackage('openapi-typescript', 'ors generate', async () =>
    import.meta.resolve('openapi-typescript'),
  );
  const { default: ts } = await loadOptionalPackage('typescript', 'ors generate', () => {
    return import(pathToFileURL(createRequire(generator).resolve('typescript')).href);
  });
  if (ts?.factory) return ts;
  throw new GenerateError(
    `invalid TypeScript of openapi-typescript: expected version 5, got ${ts?.version}; install both without --legacy-peer-deps`,
  );
}

/** @throws GenerateError if a file is not valid TypeScript, which would be an error of the generator. */
export async function assertSyntax(files: readonly GeneratedFile[]): Promise<void> {
  const ts = await loadCompiler();
  const options = { noLib: true, noResolve: true, types: [] };
  for (const { name, text } of files.filter((file) => file.name.endsWith('.ts'))) {
    const host = ts.createCompilerHost(options);
    host.getSourceFile = (file, target) => ts.createSourceFile(file, text, target);
    const [error] = ts.createProgram([name], options, host).getSyntacticDiagnostics();
    if (!error) continue;
    throw new GenerateError(
      `the generated ${name} is not valid: ${ts.flattenDiagnosticMessageText(error.messageText, ' ')}`,
    );
  }
}

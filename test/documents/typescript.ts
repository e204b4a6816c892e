import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from 'ors-kit';
import { codeBlocks, type DocumentFiles } from '../support/document.ts';

export type Files = Readonly<Record<string, string>>;

/** A part of an environment that a document shows alone, with an environment around it that is the same for all. */
const withRest = (part: string) => `
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineEnvironment, defineTool, image, text, ToolError } from 'ors-kit';
import { z } from 'zod';

const rest = {
  name: 'part',
  task: z.object({ question: z.string(), answer: z.string() }),
  splits: { test: [{ question: '1 + 1', answer: '2' }] },
  prompt: () => 'a prompt',
  tools: { nothing: { description: 'Does nothing.', run: () => ({ text: '' }) } },
};
void [mkdir, mkdtemp, rm, tmpdir, join, defineTool, image, text, ToolError];

export default defineEnvironment({
...rest,
${part}
});
`;

/** All TypeScript of a document by file name. */
export function filesOf(document: string): Files {
  const blocks = codeBlocks(document).filter(({ info }) => info === 'ts' || info === 'ts part');
  return Object.fromEntries(
    blocks.map(({ info, code, file, place }, index) => {
      if (info === 'ts part') return [`part-${index}.ts`, withRest(code)];
      if (file) return [file, code];
      throw new Error(`${place}: the first line of a ts block names its file, this does not: ${code.slice(0, 80)}`);
    }),
  );
}

/** Data and JavaScript of a document that its programs read, by file name: `json tasks.jsonl`, `// jest.config.mjs`. */
export const dataFilesOf = (document: string): Files =>
  Object.fromEntries(
    codeBlocks(document).flatMap(({ info, file, code }) =>
      file !== undefined && ['json', 'js'].includes(info) ? [[file, code]] : [],
    ),
  );

export const exportsDefault = (code: string): boolean => /^export default/m.test(code);

/** The whole environments among the modules of a document, those around parts left out. */
export async function environmentsOf(files: Files, written: DocumentFiles): Promise<Environment[]> {
  const names = Object.keys(files).filter((file) => exportsDefault(files[file] ?? ''));
  const environments: Environment[] = [];
  // A module exports one environment or several.
  for (const name of names) environments.push(...[(await import(written.path(name))).default].flat());
  // Agents are functions.
  return environments.filter((each) => typeof each !== 'function' && each.name !== 'part');
}

/** Settings of a reader's project for Node: without the types of browsers, which `lib` has by default. */
const OPTIONS = {
  target: 'ES2022',
  lib: ['ES2023', 'ESNext.Disposable'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  // `make package` checks the types of the package itself.
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

const COMPILER = 'node_modules/typescript-7/bin/tsc';

/** Returns the errors of the native compiler in files of a reader, who has the built package. */
export async function compile(paths: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join('.cache', 'project-'));
  try {
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: paths }));
    const args = [COMPILER, '--project', folder, '--pretty', 'false'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).catch(
      (error: { stdout?: string }) => {
        if (!error.stdout) throw error;
        return { stdout: error.stdout };
      },
    );
    return stdout.split('\n').filter((line) => line !== '');
  } finally {
    await rm(folder, { recursive: true });
  }
}

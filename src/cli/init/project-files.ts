import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { containerFiles } from './container-files.ts';
import { packageJson } from './package-json.ts';
import type { Project, ProjectFile } from './project.ts';
import { readme } from './readme.ts';
import { workflow } from './workflow.ts';

const require = createRequire(import.meta.url);

/** Code that has the same text in both languages, but for the names of files; tests of this package run it. */
const CODE = ['environment', 'environment.test', 'tasks'] as const;

/** The name that the environment has there. */
const EXAMPLE_NAME = "name: 'anagrams'";

const COMPILER_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
  module: 'NodeNext',
  types: ['node'],
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};

/** All files of a project. */
export async function projectFiles(project: Project): Promise<readonly ProjectFile[]> {
  const code = await Promise.all(CODE.map((file) => codeFile(file, project)));
  const tsconfig = {
    path: 'tsconfig.json',
    text: `${JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['*.ts'] }, null, 2)}\n`,
  };
  return [
    ...code,
    { path: 'package.json', text: packageJson(project) },
    ...(project.language === 'ts' ? [tsconfig] : []),
    readme(project),
    ...containerFiles(project),
    workflow(project),
    { path: '.gitignore', text: 'node_modules/\nruns/\nconformance/\n.env*\n' },
  ];
}

async function codeFile(file: string, { name, language }: Project): Promise<ProjectFile> {
  const text = await readFile(
    require.resolve(`ors-kit/package.json`).replace(/package\.json$/, `examples/start/${file}.ts`),
    'utf8',
  );
  const named = text.replace(EXAMPLE_NAME, `name: '${name}'`);
  return {
    path: `${file}.${language}`,
    text: language === 'ts' ? named : named.replace(/(from '\.\/[^']+)\.ts'/g, "$1.js'"),
  };
}

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { containerFiles, type Project, type ProjectFile, readme, workflow } from './templates.ts';

const require = createRequire(import.meta.url);

/** Files with the same code in both languages, except for file names; tests of this package run them. */
const CODE = ['environment', 'environment.test', 'tasks'] as const;

/** Name of the environment in these files. */
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

/** Renders all files of a project. */
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

interface Package {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const OWN: Package = createRequire(import.meta.url)('ors-kit/package.json');

/** Version range of ors-kit for a new project. */
export const OWN_RANGE = `^${OWN.version}`;

/** Returns the versions that this package is tested with. */
const versionsOf = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, OWN.optionalDependencies[name] ?? OWN.devDependencies[name] ?? '*']));

/** Differs from that of `npm start`, so that both can run. */
const CONFORMANCE_PORT = 8090;

/** Renders package.json. */
function packageJson({ name, language, orsKit }: Project): string {
  const isTyped = language === 'ts';
  const module = `environment.${language}`;
  const server = 'http://127.0.0.1:8080';
  const tested = `http://127.0.0.1:${CONFORMANCE_PORT}`;
  const scripts = {
    start: `ors serve ${module}`,
    test: isTyped ? 'node --import tsx --test environment.test.ts' : 'node --test environment.test.js',
    ...(isTyped && { types: 'tsc' }),
    validate: `ors validate ${module} --strict`,
    conformance: `ors conformance ${tested} --start "ors serve ${module} --port ${CONFORMANCE_PORT}"`,
    rollout: `ors rollout ${server} --env ${name} --split test --agent oracle --module ${module} --no-traces`,
  };
  const content = {
    // npm does not allow upper case.
    name: name.toLowerCase(),
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts,
    dependencies: { 'ors-kit': orsKit, ...versionsOf(...(isTyped ? ['tsx', 'zod'] : ['zod'])) },
    // Avoids a warning of npm; esbuild works without its script.
    allowScripts: { esbuild: false },
    ...(isTyped && { devDependencies: versionsOf('@types/node', 'typescript') }),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

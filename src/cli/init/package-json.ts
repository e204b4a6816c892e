import { createRequire } from 'node:module';
import type { Project } from './project.ts';

interface Package {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const OWN: Package = createRequire(import.meta.url)('ors-kit/package.json');

/** The versions of this package that suit a project which this version began. */
export const OWN_RANGE = `^${OWN.version}`;

/** What this package is tested with. */
const versionsOf = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, OWN.optionalDependencies[name] ?? OWN.devDependencies[name] ?? '*']));

/** Beside that of `npm start`, so that both can run. */
const CONFORMANCE_PORT = 8090;

/** package.json of a project. */
export function packageJson({ name, language, orsKit }: Project): string {
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
    // Names of packages have no upper case.
    name: name.toLowerCase(),
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '>=20.19' },
    scripts,
    dependencies: { 'ors-kit': orsKit, ...versionsOf(...(isTyped ? ['tsx', 'zod'] : ['zod'])) },
    // esbuild works without its script, which npm would warn of.
    allowScripts: { esbuild: false },
    ...(isTyped && { devDependencies: versionsOf('@types/node', 'typescript') }),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

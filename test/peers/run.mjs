/**
 * Checks that the package works with the oldest and the newest versions of its peers (`make peers`): npm accepts them in
 * one project, its types compile there, also with TypeScript 7, and the suites of what uses them pass. Generates a client
 * next to each version of TypeScript. Builds the package and runs these suites on each supported version of Node.
 *
 *   node test/peers/run.mjs 'test/bridges/' 'test/observe/'    # patterns of suites
 *
 * Needs the build, and npm's registry or cache. Exits with 1 if anything is wrong; a failure on one version of Node does not
 * stop the others.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const fixture = fileURLToPath(new URL('./fixture', import.meta.url));
const { peerDependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'ors-kit-peers-'));

/** Packages that users pass to this one, which works with more versions than a peer range could say. */
const CLIENTS = { openai: '^6 || ^7', '@anthropic-ai/sdk': '^1' };
const SUPPORTED = { ...peerDependencies, ...CLIENTS };
/** Versions of Node, with the peers that run there: the newest ones need Node 22. */
const RUNS = [
  ['20.19', 'oldest'],
  ['22', 'newest'],
  ['24', 'newest'],
  ['26', 'newest'],
];

/** Versions of TypeScript next to which `ors generate` must work. */
const COMPILERS = ['5.6', '5.8', '5.9', '6.0', '7.0'];
const INSTALL = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];

const run = (folder, program, args, env = {}) => {
  const options = { cwd: folder, stdio: 'inherit', env: { ...process.env, NODE_OPTIONS: '', ...env } };
  execFileSync(program, args, options);
};

/** Returns the oldest supported major version of each peer, or the newest that there is. */
const versionsOf = (age) =>
  Object.entries(SUPPORTED).map(([name, range]) => `${name}@${age === 'newest' ? 'latest' : range.split(' || ')[0]}`);

/** Installs the package and all peers as a user would. npm refuses versions outside of the ranges of the peers. */
function install(age, tarball) {
  const folder = join(scratch, age);
  cpSync(fixture, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: age, private: true, type: 'module' }));
  const tools = ['typescript', '@types/node', 'zod'].map((name) => {
    return `${name}@${age === 'newest' ? 'latest' : (devDependencies[name] ?? '~5.9')}`;
  });
  run(folder, 'npm', ['install', tarball, ...versionsOf(age), ...tools, ...INSTALL]);
  for (const name of Object.keys(SUPPORTED)) {
    const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
    console.log(`${age}: ${name} ${version}`);
  }
  return folder;
}

/** Compiles the types of all entries, and a program that passes values between the package and its peers. */
function compile(folder) {
  const tsc = join(folder, 'node_modules', '.bin', 'tsc');
  run(folder, tsc, ['--version']);
  for (const project of ['tsconfig.json', 'tsconfig.entries.json']) run(folder, tsc, ['--project', project]);
}

/** Generates a client in a project with a version of TypeScript, and compiles it there. */
function generateWith(version, tarball) {
  const folder = join(scratch, `typescript-${version}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'client', private: true, type: 'module' }));
  run(folder, 'npm', ['install', tarball, `typescript@~${version}.0`, ...INSTALL]);
  const spec = 'node_modules/ors-kit/spec';
  for (const name of ['ors.openapi.yaml', 'trace.schema.json']) {
    run(folder, 'npx', ['ors', 'generate', `${spec}/${name}`, '--out', 'generated']);
  }
  const files = readdirSync(join(folder, 'generated')).filter((name) => name.endsWith('.ts'));
  const options = [
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
  ];
  const libraries = ['--lib', 'es2022,dom,dom.iterable,dom.asynciterable', '--skipLibCheck'];
  const tsc = join(folder, 'node_modules', '.bin', 'tsc');
  run(folder, tsc, [...options, ...libraries, ...files.map((name) => join('generated', name))]);
  console.log(`ors generate next to TypeScript ${version} passed`);
}

/** Copies this checkout, with the peers of a project instead of those of the checkout. */
function copyWith(peers, name) {
  const folder = join(scratch, name);
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files.filter((each) => existsSync(join(root, each)))) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  const modules = join(folder, 'node_modules');
  for (const each of packagesIn(join(root, 'node_modules'))) {
    const own = Object.hasOwn(SUPPORTED, each) ? peers : root;
    mkdirSync(join(modules, dirname(each)), { recursive: true });
    symlinkSync(join(own, 'node_modules', each), join(modules, each));
  }
  // Newer than the lock file, so that `make` installs nothing.
  writeFileSync(join(modules, '.package-lock.json'), '{}');
  return folder;
}

const packagesIn = (modules) =>
  readdirSync(modules)
    .filter((name) => name !== '.package-lock.json' && name !== '.cache')
    .flatMap((name) => (name.startsWith('@') ? readdirSync(join(modules, name)).map((own) => `${name}/${own}`) : name));

/** Builds a copy of this checkout on a version of Node, and runs suites there. @throws Error if that fails. */
function testOn(bin, folder, suites) {
  const env = { PATH: `${bin}${delimiter}${process.env.PATH}`, ORS_TRACE_STORE: 'sqlite', MALLOC_ARENA_MAX: '2' };
  run(folder, join(bin, 'node'), ['scripts/build.mjs'], env);
  // `make` of the suites must not build again.
  writeFileSync(join(folder, 'dist', '.built'), '');
  const later = new Date(Date.now() + 1_000);
  for (const file of ['node_modules/.package-lock.json', 'dist/.built']) utimesSync(join(folder, file), later, later);
  const jest = ['--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js', ...suites];
  run(folder, join(bin, 'node'), jest, env);
}

const failures = [];

try {
  const [, , ...suites] = process.argv;
  assert.ok(suites.length > 0, 'pass the patterns of suites');
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', scratch], {
    cwd: root,
  });
  const tarball = join(scratch, JSON.parse(packed)[0].filename);
  const projects = { oldest: install('oldest', tarball), newest: install('newest', tarball) };
  for (const folder of Object.values(projects)) compile(folder);
  for (const version of COMPILERS) generateWith(version, tarball);
  for (const [version, age] of RUNS) {
    const bin = join(root, '.cache', `node-${version}`, 'bin');
    if (!existsSync(join(bin, 'node'))) {
      console.log(`SKIPPED: Node ${version} is not installed.`);
      continue;
    }
    try {
      testOn(bin, copyWith(projects[age], `checkout-${version}`), suites);
      console.log(`Node ${version} with the ${age} peers passed`);
    } catch (error) {
      failures.push(`Node ${version} with the ${age} peers: ${error.message}`);
    }
  }
  assert.deepEqual(failures, []);
} finally {
  rmSync(scratch, { recursive: true });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { hasNodeSqlite } from '../../src/trace/store/index.ts';
import { ors } from '../support/command.ts';
import { orsInProcess } from '../support/command-in-process.ts';
import { withoutModules } from '../support/without-modules.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

async function scratch(parent = tmpdir()) {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'ors-init-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

const filesOf = async (folder: string) => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => file.slice(folder.length + 1)).sort();
};
const jsonOf = async (folder: string, file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));

/** Runs Node in a folder. */
async function node(folder: string, args: readonly string[]) {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const child = spawn(process.execPath, args, { cwd: folder, env, timeout: 45_000 });
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => said.push(chunk));
  const [code] = await once(child, 'close');
  return { code, said: String(Buffer.concat(said)) };
}

const COMMON = ['.dockerignore', '.github/workflows/environment.yml', '.gitignore', 'Dockerfile', 'README.md'];

test.each([
  ['ts', [], ['environment.test.ts', 'environment.ts', 'package.json', 'tasks.ts', 'tsconfig.json']],
  ['js', ['--js'], ['environment.js', 'environment.test.js', 'package.json', 'tasks.js']],
])('creates a project in %s, with its name in the files', async (language, flags, files) => {
  await using place = await scratch();
  const folder = join(place.folder, 'Word games');

  const { stdout, stderr, code } = await orsInProcess(['init', folder, ...flags]);

  expect(await filesOf(folder)).toEqual([...COMMON, ...files]);
  expect(await readFile(join(folder, `environment.${language}`), 'utf8')).toContain("name: 'Word-games',");
  const { name, scripts, dependencies } = await jsonOf(folder, 'package.json');
  // The command runs from this checkout.
  expect([name, dependencies['ors-kit']]).toEqual(['word-games', `file:${relative(folder, root)}`]);
  expect(scripts.rollout).toContain('--env Word-games --split test --agent oracle ');
  expect(stdout).toContain(`  cd '${folder}'\n  npm install\n  npm test `);
  expect([stderr, code]).toEqual(['', 0]);
});

test('creates a JavaScript project that passes its tests', async () => {
  await using place = await scratch(join(root, '.cache'));
  await orsInProcess(['init', place.folder, '--js']);
  // Without this file, ors-kit resolves to the checkout.
  await rm(join(place.folder, 'package.json'));

  // Without --test, Node runs them in one process.
  const { code, said } = await node(root, [`${place.folder}/environment.test.js`]);

  expect(said).toContain('# pass 5\n');
  expect([code, said.includes('# fail 0\n')]).toEqual([0, true]);
});

test('writes a GitHub Actions workflow whose steps run existing scripts', async () => {
  await using place = await scratch();
  await orsInProcess(['init', place.folder]);

  const action = parse(await readFile(join(place.folder, '.github/workflows/environment.yml'), 'utf8'));

  const runs: string[] = action.jobs.test.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  const { scripts } = await jsonOf(place.folder, 'package.json');
  const named = runs.flatMap((run) => /^npm (?:run )?(\w+)/.exec(run)?.[1] ?? []).filter((name) => name !== 'ci');
  expect(named).toEqual(['types', 'test', 'validate', 'conformance']);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
});

test('accepts a tarball or a version of ors-kit, and rejects a tarball that does not exist', async () => {
  await using place = await scratch();
  const folder = join(place.folder, 'project');
  await mkdir(join(folder, '.git'), { recursive: true });
  await writeFile(join(place.folder, 'ors-kit-9.9.9.tgz'), '');
  await writeFile(join(folder, '.git', 'inside.tgz'), '');

  await orsInProcess(['init', folder, '--ors-kit', join(place.folder, 'ors-kit-9.9.9.tgz')]);
  await orsInProcess(['init', join(place.folder, 'two'), '--ors-kit', '1.2.3']);
  const gone = await orsInProcess(['init', join(place.folder, 'three'), '--ors-kit', 'gone.tgz']);

  expect((await jsonOf(folder, 'package.json')).dependencies['ors-kit']).toBe('file:../ors-kit-9.9.9.tgz');
  expect((await jsonOf(join(place.folder, 'two'), 'package.json')).dependencies['ors-kit']).toBe('1.2.3');
  expect([gone.stderr, gone.code]).toEqual([expect.stringContaining("there is no file 'gone.tgz'"), 1]);
});

describe('an installed package', () => {
  let place: Awaited<ReturnType<typeof scratch>>;
  let modules = '';
  beforeAll(async () => {
    place = await scratch();
    modules = join(place.folder, 'installer', 'other', 'node_modules');
    await writePackage(join(modules, 'ors-kit'), '9.9.9');
  });
  afterAll(() => place[Symbol.asyncDispose]());

  test.each([
    ['a packed file', 'file:../../ors-kit-9.9.9.tgz', 'file:../ors-kit-9.9.9.tgz'],
    ['a URL', 'https://example.org/ors-kit-9.9.9.tgz', 'https://example.org/ors-kit-9.9.9.tgz'],
    ['a registry', 'https://registry.example.org/ors-kit/-/ors-kit-9.9.9.tgz', '^9.9.9'],
    ['nothing that npm knows', undefined, '^9.9.9'],
  ])('is the dependency as it was installed: %s', async (from, resolved, expected) => {
    const project = from.replaceAll(' ', '-');
    const lock = { packages: { 'node_modules/ors-kit': { resolved } } };
    await writeFile(join(modules, '.package-lock.json'), JSON.stringify(lock));

    const { code, said } = await node(place.folder, [join(modules, 'ors-kit/dist/src/cli/main.js'), 'init', project]);

    expect([code, said.includes(`depends on ors-kit ${expected}`)]).toEqual([0, true]);
    expect((await jsonOf(join(place.folder, project), 'package.json')).dependencies['ors-kit']).toBe(expected);
  });
});

/** Creates an installed package with the files of this build that `ors init` uses, and another version. */
async function writePackage(folder: string, version: string) {
  const filter = (path: string) => !path.endsWith('.d.ts');
  for (const name of ['dist/src', 'dist/generated', 'examples/start'])
    await cp(join(root, name), join(folder, name), { recursive: true, filter });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...(await jsonOf(root, 'package.json')), version }));
}

test('adds libsql on a Node without SQLite, and says so', async () => {
  await using place = await scratch();
  const [without, asIs] = [join(place.folder, 'without'), join(place.folder, 'as-is')];

  const missing = await ors(['init', without], { env: withoutModules('node:sqlite') });
  const { stdout } = await orsInProcess(['init', asIs]);

  const { dependencies } = await jsonOf(asIs, 'package.json');
  const { libsql } = (await jsonOf(without, 'package.json')).dependencies;
  expect(libsql).toBe((await jsonOf(root, 'package.json')).devDependencies.libsql);
  expect(missing.stdout).toMatch(/and on libsql, since Node v\d+\S* has no SQLite/);
  expect([dependencies.libsql !== undefined, stdout.includes('libsql')]).toEqual([!hasNodeSqlite(), !hasNodeSqlite()]);
});

test('records what is served, and the rollout in the same store', async () => {
  await using place = await scratch();
  await orsInProcess(['init', join(place.folder, 'new')]);

  const { scripts } = await jsonOf(join(place.folder, 'new'), 'package.json');

  expect(scripts.start).toBe('ors serve environment.ts --traces traces.db');
  expect(scripts.rollout).toMatch(/ --traces http:\/\/127\.0\.0\.1:8080$/);
  expect(await readFile(join(place.folder, 'new', '.gitignore'), 'utf8')).toContain('\ntraces.db*\n');
});

test('rejects a folder that contains more than .git, and leaves it unchanged', async () => {
  await using place = await scratch();
  await mkdir(join(place.folder, '.git'));
  await writeFile(join(place.folder, 'notes.txt'), 'mine');

  const { stderr, code } = await orsInProcess(['init', place.folder]);

  expect(stderr).toContain(`is not empty: it has 'notes.txt'; name another folder, or add`);
  expect([await filesOf(place.folder), code]).toEqual([['notes.txt'], 1]);
});

test('--force adds missing files, and neither overwrites files nor writes through links', async () => {
  await using place = await scratch();
  await using elsewhere = await scratch();
  await writeFile(join(place.folder, 'package.json'), '{"name":"mine"}');
  await symlink(join(elsewhere.folder, 'target'), join(place.folder, 'README.md'));

  const { stdout, code } = await orsInProcess(['init', place.folder, '--force', '--name', 'riddles']);

  expect(stdout).toContain('kept unchanged: package.json, README.md\npackage.json needs: npm pkg set type=module');
  expect(await readFile(join(place.folder, 'package.json'), 'utf8')).toBe('{"name":"mine"}');
  expect((await lstat(join(place.folder, 'README.md'))).isSymbolicLink()).toBe(true);
  expect([await readdir(elsewhere.folder), code]).toEqual([[], 0]);
  const again = await orsInProcess(['init', place.folder, '--force', '--name', 'riddles']);
  expect(again.stdout).toContain('riddles: wrote 0 files to ');
});

test.each([
  [['--name', 'a b'], "invalid name 'a b'"],
  [['--name', ''], "invalid name ''"],
  [['--name', "x'; process.exit(); '"], 'invalid name'],
  [['--name', '../up'], "invalid name '../up'"],
  [['--name', 'trailing-'], "invalid name 'trailing-'"],
  [['--name', 'x'.repeat(65)], 'expected 1 to 64 letters'],
  [['--name', 'Health'], "'Health' is the name of a path of the protocol; pass another one with --name"],
  [['--name', 'zod'], "'zod' is the name of a package that the project needs"],
])('rejects %j, and writes nothing', async (flags, told) => {
  await using place = await scratch();

  const { stderr, code } = await orsInProcess(['init', join(place.folder, 'new'), ...flags]);

  expect(stderr).toContain(told);
  expect([await readdir(place.folder), code]).toEqual([[], 1]);
});

test('requires --name if the folder name is not a valid name, and rejects a file', async () => {
  await using place = await scratch();
  await writeFile(join(place.folder, 'file'), '');

  const unnamed = await orsInProcess(['init', join(place.folder, '日本')]);
  const file = await orsInProcess(['init', join(place.folder, 'file')]);
  const below = await orsInProcess(['init', join(place.folder, 'file', 'below')]);

  expect(unnamed.stderr).toContain("invalid name '日本'");
  expect(unnamed.stderr).toContain('pass one with --name');
  expect([file.stderr, below.stderr]).toEqual(Array(2).fill(expect.stringContaining('is a file; name a folder')));
  expect([unnamed.code, file.code, below.code]).toEqual([1, 1, 1]);
});

test('shows examples in --help', async () => {
  const { stdout, code } = await orsInProcess(['init', '--help']);

  expect(stdout).toContain('$ ors init my-environment\n');
  expect(code).toBe(0);
});

test('fails if no folder is named, or if the folder cannot be created', async () => {
  const unnamed = await orsInProcess(['init', '']);
  const impossible = await orsInProcess(['init', '/proc/there']);

  expect(unnamed.stderr).toContain("the folder is empty text; '.' is the current folder");
  expect(impossible.stderr).toContain("cannot write '/proc/there/environment.ts': its folder does not exist");
  expect([unnamed.code, impossible.code]).toEqual([1, 1]);
});

test('rejects an invalid version of ors-kit', async () => {
  await using at = await scratch();

  const { stderr, code } = await orsInProcess(['init', join(at.folder, 'riddles'), '--ors-kit', '1.0; rm -rf /']);

  expect(stderr).toContain("invalid --ors-kit '1.0; rm -rf /'");
  expect([code, await filesOf(at.folder)]).toEqual([1, []]);
});

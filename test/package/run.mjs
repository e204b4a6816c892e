/**
 * Packs the package as npm would publish it, installs it into empty folders and uses it there (`make package`).
 *
 *   node test/package/run.mjs
 *
 * Needs the build, and npm's registry or cache. Exits with 1 at the first thing that is wrong.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { checkBrowser } from './browser.mjs';
import { playGettingStarted } from './getting-started.mjs';
import { checkLicenses } from './licenses.mjs';
import { checkSizes } from './sizes.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const fixture = fileURLToPath(new URL('./fixture', import.meta.url));
const { devDependencies, optionalDependencies, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'ors-kit-package-'));

/** @returns what a program prints; if it fails, the error has it. */
async function run(folder, program, ...args) {
  const env = { ...process.env, NODE_OPTIONS: '', npm_config_update_notifier: 'false' };
  const running = promisify(execFile)(program, args, { cwd: folder, env, timeout: 300_000, maxBuffer: 2 ** 26 });
  // Programs that read their standard input must find its end.
  running.child.stdin.end();
  try {
    return (await running).stdout;
  } catch ({ stdout, stderr, message }) {
    throw new Error(`${message}\n${stdout ?? ''}${stderr ?? ''}`);
  }
}

const command = (folder, name) => join(folder, 'node_modules', '.bin', name);

/** Creates a project without packages. */
function createProject(name, type = { type: 'module' }) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  cpSync(fixture, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, ...type }));
  return folder;
}

/** Creates a project with the tarball, and with the packages `others`. */
async function install(name, tarball, flags, others) {
  const folder = createProject(name);
  await run(folder, 'npm', 'install', tarball, ...others, ...flags, '--prefer-offline', '--no-audit', '--no-fund');
  return folder;
}

const withVersion = (name) => `${name}@${devDependencies[name] ?? optionalDependencies[name]}`;

async function importAll(folder) {
  const names = Object.keys(exports).filter((entry) => !entry.includes('*'));
  const code = `
    for (const name of ${JSON.stringify(names.map((entry) => entry.replace('.', 'ors-kit')))}) {
      const isJson = name.endsWith('.json');
      const module = await import(name, isJson ? { with: { type: 'json' } } : {});
      if (isJson ? typeof module.default !== 'object' : Object.keys(module).length === 0) throw new Error(name);
    }`;
  await run(folder, process.execPath, '--no-warnings', '--input-type=module', '--eval', code);
}

/** Serves a module, with the flags after it, as long as something is done with it. */
async function serving(folder, [module, ...flags], work) {
  const server = spawn(command(folder, 'ors'), ['serve', module, ...flags, '--port', '0', '--log-level', 'warn'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
    const { value: line = '' } = await lines.next();
    const [url] = line.match(/http:\/\/\S+/) ?? assert.fail(`ors serve printed '${line}' instead of an address`);
    await work(url);
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

const serves = (folder, module, name = 'greeter') =>
  serving(folder, [module], async (url) => {
    assert.deepEqual(await (await fetch(`${url}/health`)).json(), { status: 'ok' });
    assert.deepEqual(await (await fetch(`${url}/list_environments`)).json(), [name]);
    const page = await fetch(`${url}/docs/`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /swagger-ui/);
    assert.equal((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status, 200);
  });

/** Checks that `npx ors-kit` runs the command of the package, and that the suite finds the page of its report. */
async function conforms(folder, module) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  const start = ['--start', `npx ors-kit serve ${module} --port ${port}`];
  const url = `http://127.0.0.1:${port}`;
  await run(folder, 'npx', '--no', 'ors-kit', 'conformance', url, ...start, '--report', 'report');
  assert.match(readFileSync(join(folder, 'report', 'report.html'), 'utf8'), /<h1>.*required pass/);
}

/**
 * Checks that new projects of `ors init` pass the steps of their GitHub Action: in TypeScript all of them, in JavaScript
 * those that run its files, and its rollout on a server. The commands of docs/getting-started.md do that for TypeScript.
 */
async function checkInit(tarball) {
  const tool = command(join(scratch, 'full'), 'ors');
  const begin = async (...flags) => {
    const folder = join(scratch, `begun${flags.join('')}`);
    await run(scratch, tool, 'init', folder, ...flags);
    const { scripts, dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    // The tarball that the command was installed from.
    assert.equal(resolve(folder, dependencies['ors-kit'].replace('file:', '')), tarball);
    // The first step of the action, `npm ci`, installs what it locks.
    await run(folder, 'npm', 'install', '--package-lock-only', '--prefer-offline', '--no-audit', '--no-fund');
    const action = readFileSync(join(folder, '.github', 'workflows', 'environment.yml'), 'utf8');
    const steps = [...action.matchAll(/^ +- run: (.+)$/gm)].map(([, step]) => step);
    assert.deepEqual(steps[0], 'npm ci');
    return { folder, scripts, steps };
  };
  const typed = await begin();
  for (const step of typed.steps) await run(typed.folder, 'sh', '-c', step);
  assert.match(readFileSync(join(typed.folder, 'conformance', 'report.html'), 'utf8'), /<h1>.*required pass/);

  const { folder, scripts, steps } = await begin('--js');
  for (const step of steps.filter((each) => !each.includes('conformance'))) await run(folder, 'sh', '-c', step);
  await serving(folder, scripts.start.split(' ').slice(2), async (url) => {
    const rollout = scripts.rollout.replaceAll(/http:\S+/g, url).replace(/^ors/, 'npx ors-kit');
    const { mean } = JSON.parse(await run(folder, 'sh', '-c', `${rollout} --json`)).reward;
    assert.equal(mean, 1);
  });
}

/** Checks that without the optional packages only generators and TypeScript modules fail, and say why. */
async function checkBare(tarball) {
  const folder = await install('bare', tarball, ['--omit=optional'], []);
  checkLicenses(join(folder, 'node_modules', 'ors-kit'));
  await checkSizes(join(folder, 'node_modules', 'ors-kit'));
  await importAll(folder);
  assert.match(await run(folder, command(folder, 'ors'), '--help'), /Usage: ors/);
  await serves(folder, 'greeter.mjs');
  await conforms(folder, 'greeter.mjs');
  const spec = 'node_modules/ors-kit/spec/ors.openapi.yaml';
  await assert.rejects(
    run(folder, command(folder, 'ors'), 'generate', spec, '--out', 'made'),
    /: npm install @redocly/,
  );
  await assert.rejects(
    run(folder, command(folder, 'ors'), 'serve', 'typed-greeter.ts', '--port', '0'),
    /npm install .*tsx/,
  );
}

/** Checks the rest with the optional packages: TypeScript modules, generators, types, and clients in browsers. */
async function checkFull(tarball) {
  const folder = await install('full', tarball, [], ['typescript', 'zod', '@types/node'].map(withVersion));
  await importAll(folder);
  await serves(folder, 'typed-greeter.ts');
  await serves(folder, 'node_modules/ors-kit/examples/conformance/environment.ts', 'conformance');
  const commonJs = createProject('common-js', {});
  symlinkSync(join(folder, 'node_modules'), join(commonJs, 'node_modules'));
  await assert.rejects(run(commonJs, command(commonJs, 'ors'), 'serve', 'typed-greeter.ts'), /npm pkg set type=module/);
  await run(folder, command(folder, 'ors'), 'generate', 'node_modules/ors-kit/spec/ors.openapi.yaml', '--out', 'made');
  // For Node without the types of browsers, for bundlers, and for browsers without the types of Node.
  for (const project of ['nodenext', 'bundler', 'browser']) {
    await run(folder, command(folder, 'tsc'), '--project', `tsconfig.${project}.json`);
  }
  // esbuild comes with tsx.
  const esbuild = (...options) => run(folder, command(folder, 'esbuild'), ...options);
  for (const entry of ['ors-kit/client', 'ors-kit/client/formats', 'ors-kit/openapi']) {
    const size = await checkBrowser(folder, esbuild, entry);
    console.log(`${entry} in a browser: ${size.toFixed(1)} kB, minified and zipped`);
  }
}

try {
  const packed = await run(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', scratch);
  const tarball = join(scratch, JSON.parse(packed)[0].filename);
  await run(root, command(root, 'publint'), 'run', tarball, '--strict');
  // Both end before their folder is removed, and the first failure is reported.
  const playPage = async () => {
    const seconds = await playGettingStarted(root, scratch);
    console.log(`docs/getting-started.md: ${seconds.toFixed(0)} s from the first command to a link to a run`);
  };
  const checks = await Promise.allSettled([
    checkBare(tarball).then(playPage),
    checkFull(tarball).then(() => checkInit(tarball)),
  ]);
  for (const { status, reason } of checks) if (status === 'rejected') throw reason;
  console.log(
    `the package holds together: ${JSON.parse(packed)[0].entryCount} files, ${JSON.parse(packed)[0].size} bytes`,
  );
} finally {
  rmSync(scratch, { recursive: true });
}

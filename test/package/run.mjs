/**
 * Packs the package as npm would publish it, installs it into empty folders and uses it there (`make package`).
 *
 *   node test/package/run.mjs
 *
 * Needs the build, and npm's registry or cache. Exits with 1 at the first thing that is wrong.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { checkBrowser } from './browser.mjs';
import { checkLicenses } from './licenses.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const fixture = fileURLToPath(new URL('./fixture', import.meta.url));
const { devDependencies, optionalDependencies, exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const scratch = mkdtempSync(join(tmpdir(), 'ors-kit-package-'));

/** Runs a program in a folder and gives what it prints; what it prints comes with the failure, if it fails. */
function run(folder, program, ...args) {
  const env = { ...process.env, NODE_OPTIONS: '', npm_config_update_notifier: 'false' };
  try {
    return execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', timeout: 300_000, stdio: 'pipe' });
  } catch ({ stdout, stderr, message }) {
    throw new Error(`${message}\n${stdout ?? ''}${stderr ?? ''}`);
  }
}

const command = (folder, name) => join(folder, 'node_modules', '.bin', name);

/** An empty project with the tarball, and what else is named, in it. */
function install(name, tarball, flags, others, type = { type: 'module' }) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  cpSync(fixture, folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, private: true, ...type }));
  run(folder, 'npm', 'install', tarball, ...others, ...flags, '--prefer-offline', '--no-audit', '--no-fund');
  return folder;
}

const withVersion = (name) => `${name}@${devDependencies[name] ?? optionalDependencies[name]}`;

function importAll(folder) {
  for (const entry of Object.keys(exports)) {
    const name = entry.replace('.', 'ors-kit');
    if (entry.includes('*')) continue;
    const code = /\.json$/.test(entry)
      ? `process.exit(typeof (await import('${name}', { with: { type: 'json' } })).default === 'object' ? 0 : 1)`
      : `process.exit(Object.keys(await import('${name}')).length > 0 ? 0 : 1)`;
    run(folder, process.execPath, '--no-warnings', '--input-type=module', '--eval', code);
  }
}

/** Serves a module as long as something is done with it. */
async function serving(folder, module, work) {
  const server = spawn(command(folder, 'ors'), ['serve', module, '--port', '0', '--log-level', 'warn'], {
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
  serving(folder, module, async (url) => {
    assert.deepEqual(await (await fetch(`${url}/health`)).json(), { status: 'ok' });
    assert.deepEqual(await (await fetch(`${url}/list_environments`)).json(), [name]);
    const page = await fetch(`${url}/docs/`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /swagger-ui/);
    assert.equal((await fetch(`${url}/docs/swagger-ui-bundle.js`)).status, 200);
  });

/** The suite finds its page, and `npx ors-kit` the one command of the package. */
async function conforms(folder, module) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  const start = ['--start', `npx ors serve ${module} --port ${port}`];
  run(folder, 'npx', '--no', 'ors-kit', 'conformance', `http://127.0.0.1:${port}`, ...start, '--report', 'report');
  assert.match(readFileSync(join(folder, 'report', 'report.html'), 'utf8'), /<h1>.*required pass/);
}

/** What `ors init` begins passes, as it is, each step of its own GitHub Action; and its rollout, with the server. */
async function checkInit(tarball) {
  const tool = command(join(scratch, 'full'), 'ors');
  for (const flags of [[], ['--js']]) {
    const folder = join(scratch, `begun${flags.join('')}`);
    run(scratch, tool, 'init', folder, ...flags, '--ors-kit', tarball);
    run(folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund');
    const action = readFileSync(join(folder, '.github', 'workflows', 'environment.yml'), 'utf8');
    const steps = [...action.matchAll(/^ +- run: (.+)$/gm)].map(([, step]) => step);
    assert.deepEqual(steps[0], 'npm ci');
    for (const step of steps) run(folder, 'sh', '-c', step);
    assert.match(readFileSync(join(folder, 'conformance', 'report.html'), 'utf8'), /<h1>.*required pass/);
    const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    await serving(folder, scripts.start.split(' ').at(-1), (url) => {
      const rollout = scripts.rollout.replace(/http:\S+/, url).replace(/^ors/, 'npx ors');
      const { mean } = JSON.parse(run(folder, 'sh', '-c', `${rollout} --json`)).reward;
      assert.equal(mean, 1);
    });
  }
}

/** Without the optional packages everything works but the generators and TypeScript modules, and those say why. */
async function checkBare(tarball) {
  const folder = install('bare', tarball, ['--omit=optional'], []);
  checkLicenses(join(folder, 'node_modules', 'ors-kit'));
  importAll(folder);
  assert.match(run(folder, command(folder, 'ors'), '--help'), /Usage: ors/);
  await serves(folder, 'greeter.mjs');
  await conforms(folder, 'greeter.mjs');
  const spec = 'node_modules/ors-kit/spec/ors.openapi.yaml';
  const missing = /install it with: npm install/;
  assert.throws(() => run(folder, command(folder, 'ors'), 'generate', spec, '--out', 'made'), missing);
  assert.throws(() => run(folder, command(folder, 'ors'), 'serve', 'typed-greeter.ts', '--port', '0'), missing);
}

/** With them TypeScript modules are served, everything generates and compiles, and the clients work in browsers. */
async function checkFull(tarball) {
  const folder = install('full', tarball, [], ['typescript', 'zod', '@types/node'].map(withVersion));
  importAll(folder);
  await serves(folder, 'typed-greeter.ts');
  await serves(folder, 'node_modules/ors-kit/examples/conformance/environment.ts', 'conformance');
  const commonJs = install('common-js', tarball, [], ['zod'].map(withVersion), {});
  assert.throws(() => run(commonJs, command(commonJs, 'ors'), 'serve', 'typed-greeter.ts'), /npm pkg set type=module/);
  run(folder, command(folder, 'ors'), 'generate', 'node_modules/ors-kit/spec/ors.openapi.yaml', '--out', 'made');
  for (const resolution of ['nodenext', 'bundler']) {
    run(folder, command(folder, 'tsc'), '--project', `tsconfig.${resolution}.json`);
  }
  // esbuild comes with tsx.
  const esbuild = (...options) => run(folder, command(folder, 'esbuild'), ...options);
  for (const entry of ['ors-kit/client', 'ors-kit/openapi']) {
    const size = checkBrowser(folder, esbuild, entry);
    console.log(`${entry} in a browser: ${size.toFixed(1)} kB, minified and zipped`);
  }
}

try {
  const packed = run(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', scratch);
  const tarball = join(scratch, JSON.parse(packed)[0].filename);
  run(root, command(root, 'publint'), 'run', tarball, '--strict');
  await checkBare(tarball);
  await checkFull(tarball);
  await checkInit(tarball);
  console.log(
    `the package holds together: ${JSON.parse(packed)[0].entryCount} files, ${JSON.parse(packed)[0].size} bytes`,
  );
} finally {
  rmSync(scratch, { recursive: true });
}

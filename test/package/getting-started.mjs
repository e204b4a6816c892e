import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const PAGE = 'docs/getting-started.md';
const ADDRESS = 'http://127.0.0.1:8080';

/**
 * Runs the commands of docs/getting-started.md in their order, in a copy of the checkout, and opens what they lead to. Only
 * the port differs, which may be in use here. Blocks with packages of model providers are left to test/documents, which
 * has such a provider.
 *
 * @returns the seconds from the first command until a reward is printed.
 */
export async function playGettingStarted(root, scratch) {
  const checkout = copyCheckout(root, join(scratch, 'checkout'));
  const port = await freePort();
  const url = ADDRESS.replace('8080', port);
  // The package is built already, so `npm pack` need not build it again.
  const env = { ...process.env, NODE_OPTIONS: '', PORT: String(port), npm_config_ignore_scripts: 'true' };
  const session = { folder: checkout, env };
  const startedAt = performance.now();
  let rewardedAfter = 0;
  let server;
  try {
    for (const block of shellBlocks(join(root, PAGE))) {
      if (block.includes('@ai-sdk/')) continue;
      const code = block.replaceAll(ADDRESS, url);
      if (code.trim() === 'npm start') {
        server = await startServer(session, url);
        await checkFirstPage(url);
      } else {
        const said = await runBlock(code, session);
        if (code.includes('npm install')) useAddress(join(session.folder, 'package.json'), url);
        if (!code.includes('npm run rollout')) continue;
        rewardedAfter = (performance.now() - startedAt) / 1_000;
        await checkRun(said, url);
      }
    }
  } finally {
    if (server) {
      process.kill(-server.pid, 'SIGINT');
      await once(server, 'exit');
    }
  }
  assert.ok(rewardedAfter > 0, `${PAGE} plays no rollout`);
  return rewardedAfter;
}

/** Copies the files of the checkout with their times, so that nothing is built again. */
function copyCheckout(root, folder) {
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of String(files)
    .split('\0')
    .filter((each) => each !== '' && existsSync(join(root, each)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { preserveTimestamps: true });
  }
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true, preserveTimestamps: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const shellBlocks = (file) => [...readFileSync(file, 'utf8').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, code]) => code);

/** Runs a block in the folder where the last one ended, without input. @returns what it prints. */
async function runBlock(code, session) {
  const { folder, env } = session;
  const trace = code.includes('<id>') ? await firstTrace(session) : '';
  const script = `set -e\n${code.replaceAll('<id>', trace)}\npwd > "$FOLDER_FILE"\n`;
  const file = join(folder, '..', 'folder');
  const options = { cwd: folder, env: { ...env, FOLDER_FILE: file }, timeout: 300_000, maxBuffer: 2 ** 26 };
  const running = promisify(execFile)('bash', ['-c', script], options);
  running.child.stdin.end();
  const { stdout } = await running.catch(({ message, stdout: said, stderr }) => {
    throw new Error(`${PAGE}: ${message}\n${said ?? ''}${stderr ?? ''}`);
  });
  session.folder = readFileSync(file, 'utf8').trim();
  return stdout;
}

async function firstTrace({ folder, env }) {
  const args = ['ors-kit', 'traces', 'ls', '--db', 'traces.db', '--json'];
  const { stdout } = await promisify(execFile)('npx', args, { cwd: folder, env, timeout: 60_000 });
  return /tr_[0-9a-z]+/.exec(stdout)?.[0] ?? assert.fail('no trace was recorded');
}

function useAddress(file, url) {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(ADDRESS, url));
}

async function startServer({ folder, env }, url) {
  const server = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: server.stdout })) if (line.includes(url)) return server;
  throw new Error(`${PAGE}: npm start ended before it served`);
}

async function checkFirstPage(url) {
  const page = await fetch(url, { headers: { accept: 'text/html' } });
  const html = await page.text();
  assert.equal(page.status, 200);
  for (const part of ['<h2>anagrams</h2>', '?view=runs', '?view=play', 'docs/', 'metrics'])
    assert.ok(html.includes(part), part);
}

/** Checks that the rollout ends with an address that opens its run. */
async function checkRun(said, url) {
  const [, link] = /^view +(http:\S+)$/m.exec(said) ?? assert.fail(`no address of the run in:\n${said}`);
  assert.equal((await fetch(link)).status, 200);
  const { runs } = await (await fetch(`${url}/v1/organizations/default/runs`)).json();
  const run = runs.find(({ run: name }) => name === new URL(link).searchParams.get('run'));
  assert.deepEqual([run?.trace_count, run?.reward.mean], [4, 1]);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from 'ors-kit';
import { createTraceClient } from 'ors-kit/trace';
import { createMemoryStore, serveTraces } from 'ors-kit/trace/server';
import fixture from '../../examples/conformance/environment.ts';
import countdown from '../../examples/countdown/environment.ts';
import gsm8k from '../../examples/gsm8k/environment.ts';
import maze from '../../examples/maze/environment.ts';
import { definedFields } from '../../src/core/index.ts';
import { MemoryJournal } from '../../src/trial/index.ts';
import { startProvider } from '../rollout/agents/fake-provider.ts';
import { start } from '../support/client.ts';
import { type CommandResult, ORS, startCommand } from '../support/command.ts';
import { freePort } from '../support/free-ports.ts';
import { dataFilesOf, type Files, filesOf } from './typescript.ts';

/** Longest time that the lines of one block may take: less than that of a test. */
const DEADLINE_MS = 80_000;

const root = fileURLToPath(new URL('../../', import.meta.url));

// Commands do not have it, and gsm8k is to have the same problems for both.
delete process.env.GSM8K_FILE;

/** Setup that a document needs in addition to the common one. */
interface Setting {
  /** Modules served at http://127.0.0.1:8080; empty if the document itself starts a server there. */
  readonly serves?: readonly Environment[];
  /** True if that server has a journal. */
  readonly isDurable?: boolean;
  /** The example that is the module `environment.ts`. */
  readonly module?: string;
  /** Is done to each server that the document starts, which is at `$url`. */
  readonly meanwhile?: string;
}

const SETTINGS: Readonly<Record<string, Setting>> = {
  'docs/bridges.md': { meanwhile: 'ors call "$url" capitals answer --split test --index 0 city=Reykjavik' },
  'docs/command-line.md': { serves: [countdown, maze] },
  'docs/conformance.md': { serves: [fixture] },
  'docs/getting-started.md': { serves: [] },
  'docs/rollouts.md': { isDurable: true },
  'docs/tasks.md': { module: 'gsm8k' },
};

/** Environment in which the blocks of a document run, one after the other. */
export interface World extends AsyncDisposable {
  /** Runs a block in a shell, and returns its output with the addresses of the document. */
  run(code: string): Promise<CommandResult>;
}

/** A folder with what the documents speak of, and servers where they expect them, under other addresses. */
export async function openWorld(document: string): Promise<World> {
  const { serves = [countdown, maze, gsm8k], isDurable, module = 'start', meanwhile = ':' } = SETTINGS[document] ?? {};
  const journal = isDurable ? new MemoryJournal() : undefined;
  const files = { ...filesOf('README.md'), ...filesOf(document), ...dataFilesOf(document) };
  const folder = await makeFolder(files, module);
  const capitals = (await import(join(folder, 'capitals.ts'))) as { default: Environment };
  const store = createMemoryStore();
  const servers = {
    examples: serves.length > 0 ? await start(serves, definedFields({ journal })) : undefined,
    readme: await start(capitals.default),
    traces: await serveTraces({ store, port: 0 }),
    model: await startProvider([]),
  };
  const startPort = await freePort();
  const addresses = [
    ['http://127.0.0.1:8080', servers.examples?.url ?? `http://127.0.0.1:${startPort}`],
    ['http://127.0.0.1:8081', servers.readme.url],
    ['http://127.0.0.1:8090', servers.traces.url],
    ['http://127.0.0.1:8000', servers.model.origin],
    ['https://traces.example.org', servers.traces.url],
  ] as const;
  const [node, main] = ORS;
  const env = {
    ...{ NODE: node, MAIN: main, ROOT: root, WORLD: folder, MEANWHILE: meanwhile },
    // As for a reader, who starts commands by npx.
    npm_execpath: 'npm',
    ...{ PORT: '0', START_PORT: String(startPort), OPENAI_BASE_URL: servers.model.url, OPENAI_API_KEY: 'a-key' },
    ...{ ...(await logEpisode(servers.traces.url)), NO_PROXY: '127.0.0.1' },
  };
  return {
    async run(code) {
      const here = addresses.reduce((text, [theirs, ours]) => text.replaceAll(theirs, ours), withoutPlaceholders(code));
      // In its own session, so that all that it has started can be ended.
      using command = startCommand(['setsid', 'bash', '-c', `. "$ROOT/test/documents/prelude.sh"\n${here}`], env);
      command.child.stdin?.end();
      let late = '';
      const deadline = setTimeout(() => {
        late = `ran for ${DEADLINE_MS / 1000} s\n`;
        spawnSync('pkill', ['-KILL', '-s', String(command.child.pid)]);
      }, DEADLINE_MS);
      const result = await command.result.finally(() => clearTimeout(deadline));
      const stdout = addresses.reduce((text, [theirs, ours]) => text.replaceAll(ours, theirs), result.stdout);
      return { ...result, stdout, stderr: late + result.stderr };
    },
    async [Symbol.asyncDispose]() {
      await stopStarted(folder);
      for (const server of Object.values(servers)) await server?.[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      await rm(dirname(folder), { recursive: true, force: true });
    },
  };
}

/** Placeholders for readers, and addresses of other machines. */
const withoutPlaceholders = (code: string): string =>
  code
    .replaceAll('runs/<run>', 'runs/$(newest_run)')
    .replaceAll(/runs\/[\w-]+-20260102-030405/g, 'runs/$(newest_run)')
    .replaceAll(/show <id> --db (\S+)/g, 'show "$(first_trace $1)" --db $1')
    .replaceAll('tr_...', '$TRACE')
    .replaceAll('tb_...', '$BLOCK')
    .replaceAll('0.0.0.0', '127.0.0.1')
    .replaceAll(/--port \d+/g, '--port 0')
    .replaceAll('KEY=...', 'KEY=a-key');

async function makeFolder(files: Files, module: string): Promise<string> {
  await mkdir(join(root, '.cache'), { recursive: true });
  // A document may create projects next to the checkout.
  const folder = join(await mkdtemp(join(root, '.cache', 'document-')), 'checkout');
  await mkdir(folder);
  for (const [file, code] of Object.entries(files)) await writeFile(join(folder, file), code);
  await writeFile(
    join(folder, 'environment.ts'),
    `export { default } from '${root}examples/${module}/environment.ts';\n`,
  );
  await mkdir(join(folder, 'node_modules'));
  await symlink(root, join(folder, 'node_modules', 'ors-kit'));
  await symlink(join(root, 'examples'), join(folder, 'examples'));
  await writeFile(join(folder, 'cwd'), folder);
  return folder;
}

/** An episode in the store, as `first-run` of the documents. */
async function logEpisode(url: string): Promise<{ readonly TRACE: string; readonly BLOCK: string }> {
  await using traces = createTraceClient({ url });
  const trace = traces.createTrace({ run: 'first-run', step: 1, task_spec: { city: 'Bogotá' } });
  const { id } = trace.logMessage({ role: 'user', content: "what's the weather?" });
  const call = trace.logAct({
    parent_block_id: id,
    payload: { call_id: 'call_1', name: 'get_weather', arguments: {} },
  });
  trace.logObserve({ parent_block_id: call.id, payload: { call_id: 'call_1', output: '22 °C' }, extra: { reward: 1 } });
  await trace.finish();
  await traces.flush();
  return { TRACE: trace.id, BLOCK: id };
}

/** Kills the processes that a block left running, with their child processes. */
async function stopStarted(folder: string): Promise<void> {
  const pids = await readFile(join(folder, 'running'), 'utf8').catch(() => '');
  for (const pid of pids.split('\n').filter(Boolean)) killGroup(Number(pid));
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself: the block that started it, or one that needs it, has failed and says so.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../support/free-ports.ts';
import { until, withDeadline } from '../support/until.ts';
import { type Program, program } from './programs.ts';

/** Returns the configuration of a proxy for nodes at these addresses, in this order. */
export type Configure = (nodes: readonly string[], port: number) => string;

export interface RunningProxy extends AsyncDisposable {
  readonly url: string;
  /** Takes another configuration over, as an operator would: without letting go of open requests. */
  readonly reload: (nodes: readonly string[]) => Promise<void>;
  /** Ends it with all connections, and starts it again. */
  readonly restart: () => Promise<void>;
}

const PATIENCE_MS = 30_000;

/** Starts a proxy of a program on a free port of loopback, with its files in a separate folder. */
export async function startProxy(name: Program, nodes: readonly string[], configure: Configure): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-proxy-'));
  const port = await freePort();
  const peers = await freePort();
  const file = join(folder, 'proxy.conf');
  const write = (addresses: readonly string[]) => writeFile(file, adapt(configure(addresses, port), folder, peers));
  const processes: ProxyProcess[] = [];
  const start = async (...more: string[]) => {
    const child = spawn(program(name), [...argumentsOf(name, file, folder), ...more]);
    const running = { child, output: '' };
    processes.push(running);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (running.output += text));
    await listening(child, port, () => `${name} does not start:\n${running.output}`);
  };
  const stopAll = () => Promise.all(processes.splice(0).map(({ child }) => stop(child)));
  const dispose = async () => {
    await stopAll();
    await rm(folder, { recursive: true });
  };
  try {
    await write(nodes);
    await start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async reload(addresses) {
      await write(addresses);
      const current = processes.at(-1);
      if (name !== 'haproxy') return void current?.child.kill('SIGHUP');
      // The new HAProxy tells the one before to take no new connections; so does the master that `haproxy -W` starts.
      await start('-sf', `${current?.child.pid}`);
      await until(() => current?.output.includes('stopped'), 'the end of the listener of the HAProxy before');
    },
    async restart() {
      await stopAll();
      await start();
    },
    [Symbol.asyncDispose]: dispose,
  };
}

interface ProxyProcess {
  readonly child: ChildProcess;
  output: string;
}

const argumentsOf = (name: Program, file: string, folder: string): string[] =>
  name === 'haproxy'
    ? ['-db', '-f', file]
    : ['-p', folder, '-c', file, '-e', 'stderr', '-g', `daemon off; pid ${folder}/pid;`];

/** Fills in the parts of a configuration that depend on the machine: folders, and the port of HAProxy's peers. */
export function adapt(configuration: string, folder: string, peersPort: number): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((what) => `${what}_temp_path ${folder};`);
  return configuration
    .replace(/^http \{$/m, `http {\n${folders.join('\n')}`)
    .replace(/^( +peer this 127\.0\.0\.1:)\d+$/m, `$1${peersPort}`);
}

async function listening(child: ChildProcess, port: number, describe: () => string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (child.exitCode !== null || performance.now() > end) throw new Error(describe());
    await delay(20);
  }
}

/** Not killed: a killed nginx would leave its workers behind, which keep the port. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await withDeadline(exit, 'the end of the proxy');
}

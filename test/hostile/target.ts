import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CommandResult, ORS, startCommand } from '../support/command.ts';

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export type TargetName = 'ors serve' | 'ors traces serve';

interface TargetOptions {
  /** Soft and hard limit of file descriptors. */
  readonly descriptors?: number;
  readonly flags?: readonly string[];
}

/** Resources that a server process holds. */
export interface Holdings {
  readonly descriptors: number;
  readonly openStreams: number;
  readonly openRequests: number;
  /** Counts of timers, sockets and other handles that keep the process busy. */
  readonly resources: Readonly<Record<string, number>>;
  readonly heapBytes: number;
}

export interface Target extends AsyncDisposable {
  readonly name: TargetName;
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** All that the process wrote. */
  readonly output: () => string;
  readonly residentMegabytes: () => number;
  readonly holdings: () => Promise<Holdings>;
  /** Sends SIGTERM and waits for the end. */
  readonly stop: () => Promise<CommandResult>;
}

const argumentsOf = (name: TargetName, folder: string): readonly string[] =>
  name === 'ors serve'
    ? ['serve', beside('environment.mjs'), '--port', '0', '--log-level', 'error']
    : ['traces', 'serve', '--db', join(folder, 'traces.db'), '--port', '0'];

/** Starts one of the two servers in a separate process. */
export async function startTarget(name: TargetName, { descriptors, flags = [] }: TargetOptions = {}): Promise<Target> {
  const [node, script] = ORS;
  const preload = ['--expose-gc', '--import', new URL('report-resources.mjs', import.meta.url).href];
  const folder = mkdtempSync(join(tmpdir(), 'ors-hostile-'));
  const line = [node, ...preload, script, ...argumentsOf(name, folder), ...flags];
  const limited = ['sh', '-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, ...line];
  const command = startCommand(descriptors === undefined ? line : limited);
  const [, url = '', port = ''] = await command.says(/on (http:\/\/127\.0\.0\.1:(\d+))/);
  const pid = command.child.pid ?? 0;
  const metric = async (pattern: RegExp) => Number(pattern.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  const holdings = async (): Promise<Holdings> => {
    const openStreams = await metric(/^ors_(?:traces_)?streams_open (\d+)$/m);
    const openRequests = name === 'ors serve' ? await metric(/^ors_http_requests_open (\d+)$/m) : 1;
    const reported = command.says(/RESOURCES (\{.*\})\n/);
    process.kill(pid, 'SIGUSR2');
    const { resources, heapUsed, external } = JSON.parse((await reported)[1] ?? '{}');
    const heapBytes = heapUsed + external;
    return { descriptors: readdirSync(`/proc/${pid}/fd`).length, openStreams, openRequests, resources, heapBytes };
  };
  return {
    name,
    url,
    port: Number(port),
    pid,
    output: command.said,
    residentMegabytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    holdings,
    stop() {
      process.kill(pid, 'SIGTERM');
      return command.result;
    },
    async [Symbol.asyncDispose]() {
      await command[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Waits until a server holds no more than before; the heap may have grown by what caches keep. */
export async function untilGivenBack(target: Target, before: Holdings): Promise<Holdings> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const now = await target.holdings();
    if (isGivenBack(now, before)) return now;
    if (Date.now() > deadline) {
      throw new Error(`${target.name} holds ${JSON.stringify(now)} a minute later, and held ${JSON.stringify(before)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Sockets of the connections that `fetch` keeps open come and go. */
const SLACK = 5;
const HEAP_SLACK_BYTES = 16 * 1024 * 1024;

const isGivenBack = (now: Holdings, before: Holdings): boolean =>
  now.openStreams === 0 &&
  now.openRequests === 1 &&
  now.descriptors <= before.descriptors + SLACK &&
  now.heapBytes <= before.heapBytes + HEAP_SLACK_BYTES &&
  Object.entries(now.resources).every(([name, count]) => count <= (before.resources[name] ?? 0) + SLACK);

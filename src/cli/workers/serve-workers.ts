import { fork } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import {
  type Backoff,
  backoffMs,
  createLineSplitter,
  deferred,
  hostForUrl,
  noun,
  settlesWithin,
  startTimer,
} from '../../core/index.ts';
import { endingOf, fileProblem } from '../../core/node/index.ts';
import { defineFlags, type FlagValues, integerParser, orInvalid } from '../command.ts';
import { onStopSignal } from '../process.ts';
import {
  ANY_ADDRESS,
  DEFAULT_STICKY,
  formatCommand,
  isNodeTag,
  listenAddress,
  offsetTag,
  type ProxyEngine,
  type ProxyNode,
  type ProxyPlan,
} from '../proxy-config/plan.ts';
import { renderProxyConfig } from '../proxy-config/render.ts';

/** Set for a worker process, to its index. */
const WORKER_VARIABLE = 'ORS_SERVE_WORKER';

/** Flags of a server that is one of several. */
export const workerFlags = defineFlags({
  '--node-tag <tag>': {
    help: 'four hex digits at the start of new session ids, for a proxy in front of several servers',
    env: 'ORS_NODE_TAG',
    parse: parseNodeTag,
  },
  '--workers <number>': {
    help: 'number of server processes, on consecutive ports and with consecutive tags',
    parse: integerParser({ min: 1, max: 1_000 }),
    conflicts: ['watch'],
  },
  '--proxy-config <file>':
    'write the configuration of a proxy in front of all workers; it accepts other machines only if --host does; .cfg is for HAProxy',
});

type WorkerFlags = FlagValues<typeof workerFlags> & { readonly port: number; readonly host: string };

/** Returns port and node tag of this process, or undefined if it only starts workers. */
export function workerListenOptions(flags: WorkerFlags): Pick<WorkerFlags, 'port' | 'nodeTag'> | undefined {
  if (flags.workers === undefined) {
    if (flags.proxyConfig === undefined) return flags;
    throw new Error('--proxy-config needs --workers; for other servers use ors proxy-config');
  }
  const index = workerIndex();
  if (index === undefined) return undefined;
  return { port: flags.port + index, nodeTag: offsetTag(flags.nodeTag ?? '0000', index) };
}

/**
 * Returns the index of this worker process, or undefined if it is not one. A worker ends with its parent, and does not
 * pass the variable to commands that author code starts.
 */
function workerIndex(): number | undefined {
  const index = process.env[WORKER_VARIABLE];
  if (index === undefined || !process.connected) return undefined;
  delete process.env[WORKER_VARIABLE];
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel alone must not keep the process alive.
  process.channel?.unref();
  return Number(index);
}

/** Notifies the parent process that this worker listens; does nothing without a parent. */
export function notifyReady(): void {
  if (process.connected) process.send?.({ kind: 'ready' });
}

function parseNodeTag(text: string): string {
  return orInvalid(isNodeTag(text) ? text : undefined, 'four hex digits in lower case, such as 0001');
}

/**
 * Serves the environments from several processes until a stop signal. The first has the port and the tag of the flags (0000
 * by default), the others the next ones. The proxy configuration is for HAProxy if its file name ends in .cfg, otherwise
 * for nginx.
 *
 * Each worker has its own port: a session lives in one process, and only a proxy that reads ids can route to it. On a
 * shared port, as with node:cluster, most requests would reach a process that does not know the session.
 *
 * @throws Error if the file cannot be written, or a worker does not start; no process is left running.
 */
export async function serveWorkers(flags: WorkerFlags): Promise<void> {
  const plan = createPlan(flags);
  // First, so that an error is reported before anything serves.
  if (flags.proxyConfig !== undefined) await writeConfig(flags.proxyConfig, renderProxyConfig(plan));
  const supervisor = new WorkerSupervisor(plan.nodes.map(({ tag }) => tag));
  onStopSignal((signal) => supervisor.stop(signal === 'SIGHUP' ? 'SIGTERM' : signal));
  if (await supervisor.start()) {
    process.stdout.write(`${supervisor.describe()}\n${advice(plan, flags.proxyConfig)}\n`);
  }
  const endings = await supervisor.stopped.promise;
  // A worker that is still loading is ended by the signal itself.
  const isNormal = ({ code, signal }: WorkerEnd) => code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';
  process.exitCode = endings.every(isNormal) ? 0 : 1;
}

/** @throws Error if there are not enough ports or tags. */
function createPlan({
  workers: count = 1,
  port,
  host,
  nodeTag: first = '0000',
  proxyConfig: file,
}: WorkerFlags): ProxyPlan {
  const last = port + count - 1;
  if (port === 0) throw new Error('--workers needs a fixed port: pass --port with a number above 0');
  if (last >= 65_535)
    throw new Error(`${count} workers from port ${port} need ports up to ${last}; pass a lower --port`);
  if (Number.parseInt(first, 16) + count > 0x1_00_00)
    throw new Error(`${count} workers from tag ${first} need more tags than there are`);
  const isOpen = host === ANY_ADDRESS || host === '::';
  const node = (_: unknown, index: number): ProxyNode => ({
    tag: offsetTag(first, index),
    host: hostForUrl(isOpen ? '127.0.0.1' : host),
    port: port + index,
  });
  const engine: ProxyEngine = file?.endsWith('.cfg') ? 'haproxy' : 'nginx';
  return {
    engine,
    sticky: DEFAULT_STICKY[engine],
    nodes: Array.from({ length: count }, node),
    listen: { host: isOpen ? hostForUrl(host) : undefined, port: last + 1 },
  };
}

async function writeConfig(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    const what = `cannot write ${file}, the proxy configuration: ${fileProblem(cause, 'write')}`;
    throw new Error(`${what}; pass another --proxy-config`, { cause });
  }
}

function advice(plan: ProxyPlan, file: string | undefined): string {
  const program = plan.engine === 'nginx' ? `nginx -c ${isAbsolute(file ?? '') ? '' : '$PWD/'}` : 'haproxy -W -f ';
  if (file === undefined) return `for one address in front of them: ${formatCommand(plan)} > nginx.conf`;
  return `${file} configures a proxy in front of them, on ${listenAddress(plan)}: ${program}${file}`;
}

/** Delays before a worker is restarted. */
const RESTART_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 30_000 };
/** A worker that ran at least this long restarts with the first delay again. */
const MIN_STABLE_MS = 60_000;

interface WorkerSlot {
  readonly tag: string;
  readonly index: number;
  worker: ReturnType<typeof startWorkerProcess>;
  startedAt: number;
  failures: number;
  cancelRestart?: () => void;
}

/** Starts workers together, restarts each one when it exits, and stops them together. */
class WorkerSupervisor {
  /** Resolves to the exits of all workers after `stop`. */
  readonly stopped = deferred<WorkerEnd[]>();
  readonly #tags: readonly string[];
  #slots: WorkerSlot[] = [];
  #stopCount = 0;

  constructor(tags: readonly string[]) {
    this.#tags = tags;
    // Detached workers notice that this process is gone, but a blocked one does not.
    process.once('exit', () => this.#signal('SIGKILL'));
  }

  /** Resolves to true when all workers listen, to false after `stop`. @throws Error if one fails; then all have exited. */
  async start(): Promise<boolean> {
    this.#slots = this.#tags.map((tag, index) => ({
      tag,
      index,
      worker: startWorkerProcess(index, tag),
      startedAt: performance.now(),
      failures: 0,
    }));
    const areReady = await Promise.all(this.#slots.map(({ worker }) => worker.ready));
    const failed = this.#slots.filter((_, index) => !areReady[index]);
    if (failed.length > 0) {
      this.#signal('SIGKILL');
      await Promise.all(this.#slots.map(({ worker }) => worker.ended));
      if (this.#stopCount > 0) return false;
      const names = failed.map(({ tag }) => tag).join(', ');
      const who = `${noun(failed.length, 'worker')} ${names} ${noun(failed.length, 'does', 'do')}`;
      throw new Error(`${who} not start, for the reason above; no worker is left running`);
    }
    for (const slot of this.#slots) void this.#watch(slot);
    return this.#stopCount === 0;
  }

  /** Formats the workers on one line. */
  describe(): string {
    const each = this.#slots.map(({ tag, worker }) => `${tag} (pid ${worker.pid})`);
    return `${each.length} workers serve: ${each.join(', ')}`;
  }

  /** Passes a signal on to all workers; the third call kills them. */
  stop(signal: WorkerStopSignal): void {
    this.#stopCount++;
    if (this.#stopCount === 1) process.stdout.write('stopping all workers\n');
    for (const { cancelRestart } of this.#slots) cancelRestart?.();
    this.#signal(this.#stopCount < 3 ? signal : 'SIGKILL');
    if (this.#stopCount > 1) return;
    void Promise.all(this.#slots.map(({ worker }) => worker.ended)).then(this.stopped.resolve);
  }

  async #watch(slot: WorkerSlot): Promise<void> {
    const { code, text } = await slot.worker.ended;
    if (this.#stopCount > 0) return;
    if (performance.now() - slot.startedAt >= MIN_STABLE_MS) slot.failures = 0;
    const { tag } = slot;
    const delayMs = backoffMs(slot.failures++, RESTART_BACKOFF);
    const what = code === 0 ? 'exited normally' : `ended (${text}); its sessions are lost`;
    process.stderr.write(`ors: worker ${tag} ${what}; restarting it in ${(delayMs / 1_000).toFixed(1)} s\n`);
    slot.cancelRestart = startTimer(delayMs, () => this.#replace(slot));
  }

  #replace(slot: WorkerSlot): void {
    slot.worker = startWorkerProcess(slot.index, slot.tag);
    slot.startedAt = performance.now();
    void this.#watch(slot);
  }

  #signal(name: NodeJS.Signals): void {
    for (const { worker } of this.#slots) worker.signal(name);
  }
}

const OUTPUT_FLUSH_MS = 1_000;

/** SIGTERM lets sessions finish, SIGINT does not. */
type WorkerStopSignal = 'SIGTERM' | 'SIGINT';

/** Exit of a worker; code and signal are null if it did not start. */
interface WorkerEnd {
  readonly text: string;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs the same command line as a worker; its output is prefixed with its tag. */
function startWorkerProcess(index: number, tag: string) {
  const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
    env: { ...process.env, [WORKER_VARIABLE]: String(index) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // Detached from the terminal: Ctrl-C must reach the workers once, through this process.
    detached: true,
  });
  if (child.stdout) pipeLinesWithPrefix(child.stdout, process.stdout, `[${tag}] `);
  if (child.stderr) pipeLinesWithPrefix(child.stderr, process.stderr, `[${tag}] `);
  const ended = new Promise<WorkerEnd>((resolve) => {
    child.once('error', (error) => resolve({ text: error.message, code: null, signal: null }));
    child.once('exit', (code, signal) => {
      // Waits for its last output, with a limit: processes that it started may keep the output open.
      const closed = new Promise((close) => child.once('close', close));
      const end = { text: endingOf(code, signal), code, signal };
      void settlesWithin(OUTPUT_FLUSH_MS, closed).then(() => resolve(end));
    });
  });
  const listens = new Promise<boolean>((resolve) => child.once('message', () => resolve(true)));
  return {
    pid: child.pid,
    /** Resolves to false if it ends before it listens. */
    ready: Promise.race([listens, ended.then(() => false)]),
    ended,
    signal: (name: NodeJS.Signals) => void child.kill(name),
  };
}

/** Copies a stream line by line with a prefix. Lines of JSON are copied unchanged: they are logs, which name their node. */
function pipeLinesWithPrefix(from: Readable, to: Writable, prefix: string): void {
  const lines = createLineSplitter((line) => to.write(line.startsWith('{') ? `${line}\n` : `${prefix}${line}\n`));
  from.setEncoding('utf8').on('data', lines.push).on('end', lines.end);
}

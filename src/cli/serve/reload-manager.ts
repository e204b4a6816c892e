import { dirname, relative, resolve } from 'node:path';
import { codeFrameOf, joinWords, plural } from '../../core/index.ts';
import { isAuthorFile } from '../../hosting/index.ts';
import { waitForStopSignal } from '../process.ts';
import type { ListenAddress } from './port.ts';
import { openPortProxy, type PortProxy } from './port-proxy.ts';
import { type ServerProcess, type ServerProcessEnd, startServerProcess } from './server-process.ts';
import { WatchedFiles } from './watched-files.ts';

/** Limits of a reload. */
interface ReloadLimits {
  /** Longest time to load, in milliseconds. @default 30_000 */
  readonly loadMs?: number;
  /** Longest time that a request waits while nothing serves, in milliseconds. @default 5_000 */
  readonly holdMs?: number;
}

/**
 * Serves environments until stopped, and reloads them when their files change.
 *
 * Node cannot empty its module cache, nor stop what old code left running, so each version of the code has its own server
 * process. This process runs no author code: it keeps the port, and passes each connection to the current server process.
 *
 * @throws Error with the code of the operating system if the port cannot be opened.
 */
export async function serveWatching(
  modules: readonly string[],
  address: ListenAddress,
  { loadMs, holdMs }: ReloadLimits = {},
): Promise<void> {
  const proxy = await openPortProxy(address, holdMs);
  const manager = new ReloadManager(modules, proxy, loadMs);
  process.once('exit', () => manager.kill());
  manager.start();
  await waitForStopSignal();
  process.stdout.write('stopping; tearing down the open episodes\n');
  await manager.stop();
  process.exit();
}

/** Code that crashes again sooner than this is reloaded only after a change. */
const MIN_STABLE_MS = 5_000;

/** Manages the server processes: the current one, the one that is loading, and those that are draining. */
class ReloadManager {
  readonly #modules: readonly string[];
  readonly #proxy: PortProxy;
  readonly #loadMs: number | undefined;
  readonly #watched = new WatchedFiles((paths) => void this.#load(paths));
  /** Watched while the code does not load, because an imported file may be missing. */
  readonly #folders = new Set<string>();
  readonly #alive = new Set<ServerProcess>();
  #current: ServerProcess | undefined;
  #loading: ServerProcess | undefined;
  /** Environments and error that were printed last. */
  #names = '';
  #failure = '';
  #isAfterCrash = false;
  #isStopping = false;

  constructor(modules: readonly string[], proxy: PortProxy, loadMs?: number) {
    this.#modules = modules.map((module) => resolve(module));
    this.#proxy = proxy;
    this.#loadMs = loadMs;
  }

  start(): void {
    for (const module of this.#modules) this.#watched.add(module);
    void this.#load([]);
  }

  /** Resolves when all episodes are torn down, or the time for teardown is over. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#watched.close();
    this.#proxy.close();
    this.#loading?.kill();
    this.#current?.stop();
    await Promise.all([...this.#alive].map(({ exited }) => exited));
  }

  kill(): void {
    for (const serverProcess of this.#alive) serverProcess.kill();
  }

  /** Loads the current code. The previous process serves meanwhile, and continues if the code does not load. */
  async #load(paths: readonly string[], isAfterCrash = false): Promise<void> {
    const began = performance.now();
    const changed = paths.filter((path) => !this.#folders.has(path));
    const files = new Set(this.#modules);
    this.#loading?.kill();
    const next = this.#startProcess(files);
    this.#loading = next;
    this.#isAfterCrash = isAfterCrash;
    if (!this.#current) this.#proxy.queue();
    const outcome = await next.ready.catch((error: Error) => error);
    if (this.#loading !== next || this.#isStopping) return;
    this.#loading = undefined;
    if (outcome instanceof Error) return this.#reportLoadError(outcome, changed, files);
    this.#folders.clear();
    this.#watched.retainOnly(files);
    await this.#activate(next, outcome.join(', '), changed, { began, files });
  }

  #startProcess(files: Set<string>): ServerProcess {
    const onImport = (path: string) => {
      if (!isAuthorFile(path) || (serverProcess !== this.#loading && serverProcess !== this.#current)) return;
      files.add(path);
      this.#watched.add(path);
    };
    const serverProcess = startServerProcess({ onImport, onSocketReturned: this.#proxy.accept }, this.#loadMs);
    this.#alive.add(serverProcess);
    void serverProcess.exited.then(() => this.#alive.delete(serverProcess));
    return serverProcess;
  }

  async #activate(
    next: ServerProcess,
    names: string,
    changed: readonly string[],
    { began, files }: { began: number; files: ReadonlySet<string> },
  ): Promise<void> {
    const old = this.#current;
    const since = performance.now();
    this.#current = next;
    this.#proxy.forwardTo(next.accept);
    void next.ended.then((ending) => this.#handleCrash(next, ending, performance.now() - since));
    old?.drain();
    const ending = old ? describeProcessEnd(await old.ended) : '';
    if (this.#names === '') {
      print(`ors serves ${names} on ${this.#proxy.url}`);
      print(`API reference: ${this.#proxy.url}/docs/`);
      print(`watching ${plural(files.size, 'file')}`);
    } else {
      const what = names === this.#names ? 'reloaded' : `reloaded, now serving ${names}`;
      const why = changed.length > 0 ? `${describePaths(changed)} changed: ` : '';
      print(`${why}${what} (${((since - began) / 1_000).toFixed(1)} s)${ending}`);
    }
    this.#names = names;
    this.#failure = '';
  }

  #reportLoadError(error: Error, changed: readonly string[], files: ReadonlySet<string>): void {
    const { message } = error;
    for (const folder of new Set([...files].map(dirname))) {
      this.#folders.add(folder);
      this.#watched.add(folder);
    }
    if (!this.#current) this.#proxy.rejectAll(`nothing is served: the environments do not load; ${WAITING}`);
    if (changed.length === 0 && message === this.#failure) return;
    this.#failure = message;
    const what = changed.length > 0 ? `${describePaths(changed)} changed, but ${message}` : message;
    const frame = codeFrameOf(error);
    warn(
      `${what}; ${this.#current ? 'the previous code keeps serving' : WAITING}${frame === undefined ? '' : `\n\n${frame.trimEnd()}`}`,
    );
  }

  #handleCrash(serverProcess: ServerProcess, ending: ServerProcessEnd, ageMs: number): void {
    if (this.#current !== serverProcess || this.#isStopping) return;
    this.#current = undefined;
    // It tears down what it can, within the time of a normal drain.
    serverProcess.drain();
    this.#proxy.queue();
    const mayRecover = this.#loading !== undefined || !this.#isAfterCrash || ageMs >= MIN_STABLE_MS;
    warn(`the environments crashed${describeProcessEnd(ending)}; ${mayRecover ? 'reloading them' : WAITING}`);
    if (!mayRecover) this.#proxy.rejectAll(`nothing is served: the environments crashed again; ${WAITING}`);
    else if (!this.#loading) void this.#load([], true);
  }
}

const WAITING = 'waiting for a change';

const print = (line: string) => process.stdout.write(`${line}\n`);
const warn = (line: string) => process.stderr.write(`ors: ${line}\n`);

/** Further names are counted. */
const MAX_NAMED = 3;

/** Formats paths relative to the working directory: `a.ts`, `a.ts and b.ts`, `a.ts, b.ts, c.ts and 4 more`. */
export function describePaths(paths: readonly string[]): string {
  return joinWords(
    paths.map((path) => relative('', path) || path),
    { max: MAX_NAMED },
  );
}

/** Describes the end of a server process: its sessions, and the exit if it was unexpected. */
export function describeProcessEnd({ sessions, cause }: ServerProcessEnd): string {
  if (cause !== undefined) return `; the old process exited unexpectedly (${cause}), and its sessions are lost`;
  if (sessions.length === 0) return '';
  const named = joinWords(
    sessions.map(({ sid, environment }) => `${sid} (${environment})`),
    { max: MAX_NAMED },
  );
  return `; ${plural(sessions.length, 'session')} ended: ${named}`;
}

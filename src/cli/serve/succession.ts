import { dirname, resolve } from 'node:path';
import { plural } from '../../core/index.ts';
import { isAuthorFile } from '../../hosting/index.ts';
import type { PortProxy } from './entrance.ts';
import { type ServerProcess, type ServerProcessEnd, startServerProcess } from './generation.ts';
import { describePaths, describeProcessEnd } from './lines.ts';
import { WatchedFiles } from './watched-files.ts';

/** Code that crashes sooner than this after a crash would do so again and again; it waits for a change. */
const MIN_STABLE_MS = 5_000;

/** The generations: the one that serves, the one that loads to take its place, and those that still end. */
export class ReloadManager {
  readonly #modules: readonly string[];
  readonly #proxy: PortProxy;
  readonly #loadMs: number | undefined;
  readonly #watched = new WatchedFiles((paths) => void this.#load(paths));
  /** Watched as well while the code does not load, for an imported file that is not there yet. */
  readonly #folders = new Set<string>();
  readonly #alive = new Set<ServerProcess>();
  #current: ServerProcess | undefined;
  #loading: ServerProcess | undefined;
  /** What was said last: the environments, and what kept the code from loading since. */
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

  /** Resolves when all episodes are torn down, or have had their time for it. */
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

  /** Loads the code as it is now. Until that is done the generation before serves, and if it fails it goes on. */
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
    if (outcome instanceof Error) return this.#reportLoadError(outcome.message, changed, files);
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
      say(`ors serves ${names} on ${this.#proxy.url}`);
      say(`reference of the operations: ${this.#proxy.url}/docs/`);
      say(`watching ${plural(files.size, 'file')}`);
    } else {
      const what = names === this.#names ? 'serving anew' : `serving ${names} anew`;
      const why = changed.length > 0 ? `${describePaths(changed)} changed: ` : '';
      say(`${why}${what} (${((since - began) / 1_000).toFixed(1)} s)${ending}`);
    }
    this.#names = names;
    this.#failure = '';
  }

  #reportLoadError(message: string, changed: readonly string[], files: ReadonlySet<string>): void {
    for (const folder of new Set([...files].map(dirname))) {
      this.#folders.add(folder);
      this.#watched.add(folder);
    }
    if (!this.#current) this.#proxy.rejectAll(`nothing is served: the environments do not load; ${WAITING}`);
    if (changed.length === 0 && message === this.#failure) return;
    this.#failure = message;
    const what = changed.length > 0 ? `${describePaths(changed)} changed, but ${message}` : message;
    complain(`${what}; ${this.#current ? 'the code before it goes on serving' : WAITING}`);
  }

  #handleCrash(serverProcess: ServerProcess, ending: ServerProcessEnd, ageMs: number): void {
    if (this.#current !== serverProcess || this.#isStopping) return;
    this.#current = undefined;
    // It tears down what it can, within the same time as one that is replaced.
    serverProcess.drain();
    this.#proxy.queue();
    const isHopeful = this.#loading !== undefined || !this.#isAfterCrash || ageMs >= MIN_STABLE_MS;
    complain(`the environments crashed${describeProcessEnd(ending)}; ${isHopeful ? 'loading them anew' : WAITING}`);
    if (!isHopeful) this.#proxy.rejectAll(`nothing is served: the environments crashed again; ${WAITING}`);
    else if (!this.#loading) void this.#load([], true);
  }
}

const WAITING = 'waiting for a change';

const say = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`ors: ${line}\n`);

import { dirname, resolve } from 'node:path';
import { plural } from '../../core/index.ts';
import { isAuthors } from '../../hosting/index.ts';
import type { Entrance } from './entrance.ts';
import { type Ending, type Generation, startGeneration } from './generation.ts';
import { describeEnding, describePaths } from './lines.ts';
import { WatchedFiles } from './watched-files.ts';

/** Code that crashes sooner than this after a crash would do so again and again; it waits for a change. */
const STEADY_MS = 5_000;

/** The generations: the one that serves, the one that loads to take its place, and those that still end. */
export class Succession {
  readonly #modules: readonly string[];
  readonly #entrance: Entrance;
  readonly #loadMs: number | undefined;
  readonly #watched = new WatchedFiles((paths) => void this.#load(paths));
  /** Watched as well while the code does not load, for an imported file that is not there yet. */
  readonly #folders = new Set<string>();
  readonly #alive = new Set<Generation>();
  #current: Generation | undefined;
  #loading: Generation | undefined;
  /** What was said last: the environments, and what kept the code from loading since. */
  #names = '';
  #failure = '';
  #isAfterCrash = false;
  #isStopping = false;

  constructor(modules: readonly string[], entrance: Entrance, loadMs?: number) {
    this.#modules = modules.map((module) => resolve(module));
    this.#entrance = entrance;
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
    this.#entrance.close();
    this.#loading?.kill();
    this.#current?.stop();
    await Promise.all([...this.#alive].map(({ exited }) => exited));
  }

  kill(): void {
    for (const generation of this.#alive) generation.kill();
  }

  /** Loads the code as it is now. Until that is done the generation before serves, and if it fails it goes on. */
  async #load(paths: readonly string[], isAfterCrash = false): Promise<void> {
    const began = performance.now();
    const changed = paths.filter((path) => !this.#folders.has(path));
    const files = new Set(this.#modules);
    this.#loading?.kill();
    const next = this.#begin(files);
    this.#loading = next;
    this.#isAfterCrash = isAfterCrash;
    if (!this.#current) this.#entrance.hold();
    const outcome = await next.ready.catch((error: Error) => error);
    if (this.#loading !== next || this.#isStopping) return;
    this.#loading = undefined;
    if (outcome instanceof Error) return this.#fail(outcome.message, changed, files);
    this.#folders.clear();
    this.#watched.keep(files);
    await this.#succeed(next, outcome.join(', '), changed, { began, files });
  }

  #begin(files: Set<string>): Generation {
    const onImport = (path: string) => {
      if (!isAuthors(path) || (generation !== this.#loading && generation !== this.#current)) return;
      files.add(path);
      this.#watched.add(path);
    };
    const generation = startGeneration({ onImport, onReturn: this.#entrance.admit }, this.#loadMs);
    this.#alive.add(generation);
    void generation.exited.then(() => this.#alive.delete(generation));
    return generation;
  }

  async #succeed(
    next: Generation,
    names: string,
    changed: readonly string[],
    { began, files }: { began: number; files: ReadonlySet<string> },
  ): Promise<void> {
    const old = this.#current;
    const since = performance.now();
    this.#current = next;
    this.#entrance.leadTo(next.take);
    void next.ended.then((ending) => this.#crash(next, ending, performance.now() - since));
    old?.retire();
    const ending = old ? describeEnding(await old.ended) : '';
    if (this.#names === '') {
      say(`ors serves ${names} on ${this.#entrance.url}`);
      say(`reference of the operations: ${this.#entrance.url}/docs/`);
      say(`watching ${plural(files.size, 'file')}`);
    } else {
      const what = names === this.#names ? 'serving anew' : `serving ${names} anew`;
      const why = changed.length > 0 ? `${describePaths(changed)} changed: ` : '';
      say(`${why}${what} (${((since - began) / 1_000).toFixed(1)} s)${ending}`);
    }
    this.#names = names;
    this.#failure = '';
  }

  #fail(message: string, changed: readonly string[], files: ReadonlySet<string>): void {
    for (const folder of new Set([...files].map(dirname))) {
      this.#folders.add(folder);
      this.#watched.add(folder);
    }
    if (!this.#current) this.#entrance.refuse(`nothing is served: the environments do not load; ${WAITING}`);
    if (changed.length === 0 && message === this.#failure) return;
    this.#failure = message;
    const what = changed.length > 0 ? `${describePaths(changed)} changed, but ${message}` : message;
    complain(`${what}; ${this.#current ? 'the code before it goes on serving' : WAITING}`);
  }

  #crash(generation: Generation, ending: Ending, ageMs: number): void {
    if (this.#current !== generation || this.#isStopping) return;
    this.#current = undefined;
    // It tears down what it can, within the same time as one that is replaced.
    generation.retire();
    this.#entrance.hold();
    const isHopeful = this.#loading !== undefined || !this.#isAfterCrash || ageMs >= STEADY_MS;
    complain(`the environments crashed${describeEnding(ending)}; ${isHopeful ? 'loading them anew' : WAITING}`);
    if (!isHopeful) this.#entrance.refuse(`nothing is served: the environments crashed again; ${WAITING}`);
    else if (!this.#loading) void this.#load([], true);
  }
}

const WAITING = 'waiting for a change';

const say = (line: string) => process.stdout.write(`${line}\n`);
const complain = (line: string) => process.stderr.write(`ors: ${line}\n`);

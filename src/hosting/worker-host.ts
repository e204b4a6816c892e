import type { JSONValue } from '../protocol/index.ts';
import type { EpisodeRequest } from './hosted-environment.ts';
import { Link, type Notice } from './link.ts';
import type { EnvironmentFacts } from './messages.ts';
import type { Thread } from './thread.ts';
import { ThrownElsewhere } from './thrown.ts';

/** An episode that lives in a worker. */
export interface Lodger {
  readonly number: number;
  readonly environment: string;
  readonly request: EpisodeRequest;
  /** What it holds outside of the process. */
  readonly handles: JSONValue[];
  /** Once its worker is gone: resolves when what it held is cleaned up. */
  reaped: Promise<void> | undefined;
}

/** A worker in which something runs for this long without a pause is stuck. */
const STUCK_MS = 1_000;

/** One worker, and the episodes that live in it. */
export class WorkerHost {
  readonly link: Link;
  /** What its module has. Rejects if the module does not load. */
  readonly loaded: Promise<readonly EnvironmentFacts[]>;
  readonly lodgers = new Map<number, Lodger>();
  readonly #thread: Thread;
  readonly #ended: Promise<void>;
  readonly #pulse: NodeJS.Timeout;
  #isStuck = false;
  #why: string | undefined;
  #isOver = false;

  /** `onEnd` is told which episodes were lost with it. */
  constructor(thread: Thread, onEnd: (lost: readonly Lodger[]) => void) {
    this.#thread = thread;
    let load: { resolve: (facts: readonly EnvironmentFacts[]) => void; reject: (error: Error) => void };
    this.loaded = new Promise((resolve, reject) => {
      load = { resolve, reject };
    });
    this.loaded.catch(() => undefined);
    this.link = new Link(thread, (notice) => {
      if ('loaded' in notice) load.resolve(notice.loaded);
      else if ('notLoaded' in notice) load.reject(new Error(notice.notLoaded));
      else this.#hear(notice);
    });
    this.#ended = new Promise((resolve) => {
      thread.onEnd((why, error) => {
        load.reject(new Error(why));
        onEnd(this.#lose(this.#why ?? why, error));
        resolve();
      });
    });
    this.#pulse = setInterval(() => void this.#feelPulse(), STUCK_MS).unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** How much goes on in it; one that is stuck takes nothing more. */
  get load(): number {
    return this.#isStuck ? Infinity : this.lodgers.size + this.link.unanswered;
  }

  /** Ends the worker, and what runs in it. */
  async end(why: string): Promise<void> {
    this.#why ??= why;
    await this.#thread.terminate();
    await this.#ended;
  }

  /** Ends the worker if nothing else can run in it. */
  async endIfStuck(why: string): Promise<void> {
    if (!(await this.#answers())) await this.end(why);
  }

  /** Tells an episode's code to stop. */
  abort(episode: number): void {
    if (!this.#isOver) this.#thread.post({ abortEpisode: episode });
  }

  async #feelPulse(): Promise<void> {
    if (this.lodgers.size === 0) return;
    this.#isStuck = !(await this.#answers());
  }

  /** Whether anything else can run in it; also when it is gone. */
  async #answers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(resolve, STUCK_MS, false);
    });
    const pong = this.link.ask('ping', {}).then(
      () => true,
      () => true,
    );
    return await Promise.race([pong, late]).finally(() => clearTimeout(timer));
  }

  #lose(reason: string, error: unknown): readonly Lodger[] {
    this.#isOver = true;
    clearInterval(this.#pulse);
    const lost = [...this.lodgers.values()];
    this.lodgers.clear();
    this.link.end(reason);
    for (const { request } of lost) {
      if (error !== undefined) request.onError('worker', error);
      request.onLost(reason);
    }
    return lost;
  }

  #hear(notice: Exclude<Notice, { loaded: unknown } | { notLoaded: unknown }>): void {
    const lodger = this.lodgers.get(notice.episode);
    if (!lodger) return;
    if ('warning' in notice) lodger.request.warn(notice.warning);
    else if ('handle' in notice) lodger.handles.push(notice.handle);
    else lodger.request.onError(notice.what, new ThrownElsewhere(notice.error));
  }
}

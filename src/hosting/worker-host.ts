import { deferred, plural } from '../core/index.ts';
import type { JSONValue } from '../protocol/index.ts';
import type { HostedSession } from './hosted-environment.ts';
import { LateSecrets } from './late-secrets.ts';
import { Link, type Notice } from './link.ts';
import type { Answered, Asked, EnvironmentFacts, Question } from './messages.ts';
import { Pulse } from './pulse.ts';
import type { Thread } from './thread.ts';
import { ThrownElsewhere } from './thrown.ts';
import { WorkerGone } from './worker-gone.ts';

/** An episode that lives in a worker. */
export interface Lodger {
  readonly number: number;
  readonly environment: string;
  readonly session: HostedSession;
  /** What it holds outside of the process. */
  readonly handles: JSONValue[];
  /** Once its worker is gone: resolves when what it held is cleaned up. */
  reaped: Promise<void> | undefined;
}

const MOST_NAMED = 5;

/** One worker, and the episodes that live in it. */
export class WorkerHost {
  readonly link: Link;
  /** What its module has. Rejects if the module does not load. */
  readonly loaded: Promise<readonly EnvironmentFacts[]>;
  readonly #lodgers = new Map<number, Lodger>();
  readonly #lateSecrets = new LateSecrets();
  readonly #thread: Thread;
  readonly #ended: Promise<void>;
  readonly #pulse: Pulse;
  #lastLeft: Lodger | undefined;
  #isLoaded = false;
  #isLeaving = false;
  #why: string | undefined;
  #end: { readonly why: string; readonly error: unknown } | undefined;

  /** `onEnd` is told which episodes were lost with it. */
  constructor(thread: Thread, onEnd: (lost: readonly Lodger[]) => void) {
    this.#thread = thread;
    const load = deferred<readonly EnvironmentFacts[]>();
    this.loaded = load.promise;
    this.loaded.then(
      () => (this.#isLoaded = true),
      () => undefined,
    );
    this.link = new Link(thread, (notice) => {
      if ('loaded' in notice) load.resolve(notice.loaded);
      else if ('notLoaded' in notice) load.reject(new Error(notice.notLoaded));
      else this.#hear(notice);
    });
    const ended = deferred();
    this.#ended = ended.promise;
    thread.onEnd((why, error) => {
      this.#end = { why: this.#why ?? why, error };
      load.reject(new WorkerGone(this.#end.why));
      onEnd(this.#lose(this.#end.why, error));
      ended.resolve();
    });
    this.#pulse = new Pulse({
      // A worker that is gone is not stuck.
      ping: () => this.link.ask('ping', {}).catch(() => undefined),
      isNeeded: () => this.#isLoaded && !this.#leaveIfIdle(),
      onStuck: (ms) =>
        this.#warn(`the worker of this session has answered nothing for ${ms.toFixed()} ms; ${this.#seen}`),
      onWell: (ms) => this.#warn(`the worker of this session answers again, after ${ms.toFixed()} ms`),
    });
  }

  /** How it ended, and by which error if nothing caught that. Undefined while it lives. */
  get ending(): { readonly why: string; readonly error: unknown } | undefined {
    return this.#end;
  }

  /** Whether it takes nothing more, since it is being ended. */
  get isEnding(): boolean {
    return this.#why !== undefined;
  }

  /** Whether something runs in it without a pause. One that still loads is not stuck. */
  get isStuck(): boolean {
    return this.#pulse.isStuck;
  }

  get lodgers(): number {
    return this.#lodgers.size;
  }

  /** How much goes on in it. */
  get load(): number {
    return this.#lodgers.size + this.link.unanswered;
  }

  enter(lodger: Lodger): void {
    this.#lodgers.set(lodger.number, lodger);
  }

  leave(lodger: Lodger): void {
    if (!this.#lodgers.delete(lodger.number)) return;
    this.#lastLeft = lodger;
    this.#lateSecrets.add(Object.values(lodger.session.secrets));
  }

  /** Asks what nobody waits for any more once the signal aborts; a worker that is stuck with it then is ended. */
  askUntil<Name extends Question>(
    signal: AbortSignal | undefined,
    question: Name,
    parameters: Asked<Name>,
  ): Promise<Answered<Name>> {
    return this.link.askUntil(signal, question, parameters, () => void this.endIfStuck());
  }

  /** Ends the worker, and what runs in it. */
  async end(why: string): Promise<void> {
    this.#why ??= why;
    await this.#thread.terminate();
    await this.#ended;
  }

  /** Ends the worker if it answers nothing for this time, by default a second. */
  async endIfStuck(ms?: number): Promise<void> {
    if (!this.#isLoaded || (await this.#pulse.answers(ms))) return;
    await this.end(`nothing else could run in its worker any more; ${this.#seen}`);
  }

  /** Ends the worker as soon as it has answered what it was asked. */
  endWhenIdle(): void {
    this.#isLeaving = true;
  }

  /** Tells an episode's code to stop. */
  abort(episode: number): void {
    if (!this.#end) this.#thread.post({ abortEpisode: episode });
  }

  /** An episode that may be open in it by now is not wanted. */
  forget(episode: number): void {
    this.abort(episode);
    // A worker that is gone has forgotten it.
    this.link.ask('teardown', { episode }).catch(() => undefined);
  }

  /** What runs in it, as far as one can see from outside. */
  get #seen(): string {
    const names = new Set(this.link.running.map(({ name }) => name));
    if (names.size === 0) return 'running there: something that no question waits for';
    return `running there: ${[...names].slice(0, MOST_NAMED).join(', ')}`;
  }

  #leaveIfIdle(): boolean {
    const isIdle = this.load === 0;
    if (isIdle && this.#isLeaving) void this.end('it had nothing left to do');
    return isIdle;
  }

  /** Warns in the name of a session whose code runs there; in that of any if none is known. */
  #warn(message: string): void {
    const [one] = this.link.running.flatMap(({ episode }) => this.#lodgers.get(episode ?? 0) ?? []);
    const [any] = this.#lodgers.values();
    (one ?? any)?.session.warn(message);
  }

  #lose(reason: string, error: unknown): readonly Lodger[] {
    this.#pulse.stop();
    const lost = [...this.#lodgers.values()];
    this.#lodgers.clear();
    this.link.end(reason);
    // It may be anybody's: it is told once, and without the secrets of all.
    const secrets = lost.flatMap(({ session }) => Object.values(session.secrets));
    const told = lost[0] ?? this.#lastLeft;
    if (error !== undefined) told?.session.onError('worker', error, [...secrets, ...this.#lateSecrets.values]);
    lost[0]?.session.warn(`a worker is gone, and ${plural(lost.length, 'session')} with it: ${reason}`);
    for (const { session } of lost) session.onLost(reason);
    return lost;
  }

  #hear(notice: Exclude<Notice, { loaded: unknown } | { notLoaded: unknown }>): void {
    const lodger = this.#lodgers.get(notice.episode);
    if (!lodger) return;
    if ('warning' in notice) lodger.session.warn(notice.warning);
    else if ('handle' in notice) lodger.handles.push(notice.handle);
    else lodger.session.onError(notice.what, new ThrownElsewhere(notice.error));
  }
}

import { deferred, plural } from '../core/index.ts';
import type { JSONValue } from '../protocol/index.ts';
import type { HostedSession } from './hosted-environment.ts';
import { RecentSecrets } from './late-secrets.ts';
import { type WorkerNotification, WorkerRpcClient } from './link.ts';
import type { EnvironmentInfo, WorkerMethodName, WorkerMethodParams, WorkerMethodResult } from './messages.ts';
import { WorkerHeartbeat } from './pulse.ts';
import type { WorkerThread } from './thread.ts';
import { RemoteError } from './thrown.ts';
import { WorkerLostError } from './worker-gone.ts';

/** An episode that lives in a worker. */
export interface WorkerEpisode {
  readonly number: number;
  readonly environment: string;
  readonly session: HostedSession;
  /** What it holds outside of the process. */
  readonly handles: JSONValue[];
  /** Once its worker is gone: resolves when what it held is cleaned up. */
  cleanedUp: Promise<void> | undefined;
}

const MAX_NAMED = 5;

/** One worker, and the episodes that live in it. */
export class WorkerHost {
  readonly link: WorkerRpcClient;
  /** What its module has. Rejects if the module does not load. */
  readonly loaded: Promise<readonly EnvironmentInfo[]>;
  readonly #episodes = new Map<number, WorkerEpisode>();
  readonly #lateSecrets = new RecentSecrets();
  readonly #thread: WorkerThread;
  readonly #ended: Promise<void>;
  readonly #heartbeat: WorkerHeartbeat;
  #lastEpisode: WorkerEpisode | undefined;
  #isLoaded = false;
  #isLeaving = false;
  #why: string | undefined;
  #end: { readonly why: string; readonly error: unknown } | undefined;

  /** `onEnd` is told which episodes were lost with it. */
  constructor(thread: WorkerThread, onEnd: (lost: readonly WorkerEpisode[]) => void) {
    this.#thread = thread;
    const load = deferred<readonly EnvironmentInfo[]>();
    this.loaded = load.promise;
    this.loaded.then(
      () => (this.#isLoaded = true),
      () => undefined,
    );
    this.link = new WorkerRpcClient(thread, (notice) => {
      if ('loaded' in notice) load.resolve(notice.loaded);
      else if ('notLoaded' in notice) load.reject(new Error(notice.notLoaded));
      else this.#handleNotification(notice);
    });
    const ended = deferred();
    this.#ended = ended.promise;
    thread.onEnd((why, error) => {
      this.#end = { why: this.#why ?? why, error };
      load.reject(new WorkerLostError(this.#end.why));
      onEnd(this.#handleExit(this.#end.why, error));
      ended.resolve();
    });
    this.#heartbeat = new WorkerHeartbeat({
      // A worker that is gone is not stuck.
      ping: () => this.link.call('ping', {}).catch(() => undefined),
      isNeeded: () => this.#isLoaded && !this.#terminateIfIdle(),
      onUnresponsive: (ms) =>
        this.#warn(
          `the worker of this session has answered nothing for ${ms.toFixed()} ms; ${this.#runningDescription}`,
        ),
      onRecovered: (ms) => this.#warn(`the worker of this session answers again, after ${ms.toFixed()} ms`),
    });
  }

  /** How it ended, and by which error if nothing caught that. Undefined while it lives. */
  get exit(): { readonly why: string; readonly error: unknown } | undefined {
    return this.#end;
  }

  /** Whether it takes nothing more, since it is being ended. */
  get isTerminating(): boolean {
    return this.#why !== undefined;
  }

  /** Whether something runs in it without a pause. One that still loads is not stuck. */
  get isUnresponsive(): boolean {
    return this.#heartbeat.isUnresponsive;
  }

  get episodeCount(): number {
    return this.#episodes.size;
  }

  /** How much goes on in it. */
  get load(): number {
    return this.#episodes.size + this.link.pendingCount;
  }

  addEpisode(episode: WorkerEpisode): void {
    this.#episodes.set(episode.number, episode);
  }

  removeEpisode(episode: WorkerEpisode): void {
    if (!this.#episodes.delete(episode.number)) return;
    this.#lastEpisode = episode;
    this.#lateSecrets.add(Object.values(episode.session.secrets));
  }

  /** Asks what nobody waits for any more once the signal aborts; a worker that is stuck with it then is ended. */
  callUntil<Name extends WorkerMethodName>(
    signal: AbortSignal | undefined,
    question: Name,
    parameters: WorkerMethodParams<Name>,
  ): Promise<WorkerMethodResult<Name>> {
    return this.link.callUntil(signal, question, parameters, () => void this.terminateIfUnresponsive());
  }

  /** Ends the worker, and what runs in it. */
  async terminate(why: string): Promise<void> {
    this.#why ??= why;
    await this.#thread.terminate();
    await this.#ended;
  }

  /** Ends the worker if it answers nothing for this time, by default a second. */
  async terminateIfUnresponsive(ms?: number): Promise<void> {
    if (!this.#isLoaded || (await this.#heartbeat.respondsWithin(ms))) return;
    await this.terminate(`nothing else could run in its worker any more; ${this.#runningDescription}`);
  }

  /** Ends the worker as soon as it has answered what it was asked. */
  terminateWhenIdle(): void {
    this.#isLeaving = true;
  }

  /** Tells an episode's code to stop. */
  abort(episode: number): void {
    if (!this.#end) this.#thread.post({ abortEpisode: episode });
  }

  /** An episode that may be open in it by now is not wanted. */
  discardEpisode(episode: number): void {
    this.abort(episode);
    // A worker that is gone has forgotten it.
    this.link.call('teardown', { episode }).catch(() => undefined);
  }

  /** What runs in it, as far as one can see from outside. */
  get #runningDescription(): string {
    const names = new Set(this.link.running.map(({ name }) => name));
    if (names.size === 0) return 'running there: something that no question waits for';
    return `running there: ${[...names].slice(0, MAX_NAMED).join(', ')}`;
  }

  #terminateIfIdle(): boolean {
    const isIdle = this.load === 0;
    if (isIdle && this.#isLeaving) void this.terminate('it had nothing left to do');
    return isIdle;
  }

  /** Warns in the name of a session whose code runs there; in that of any if none is known. */
  #warn(message: string): void {
    const [one] = this.link.running.flatMap(({ episode }) => this.#episodes.get(episode ?? 0) ?? []);
    const [any] = this.#episodes.values();
    (one ?? any)?.session.warn(message);
  }

  #handleExit(reason: string, error: unknown): readonly WorkerEpisode[] {
    this.#heartbeat.stop();
    const lost = [...this.#episodes.values()];
    this.#episodes.clear();
    this.link.end(reason);
    // It may be anybody's: it is told once, and without the secrets of all.
    const secrets = lost.flatMap(({ session }) => Object.values(session.secrets));
    const told = lost[0] ?? this.#lastEpisode;
    if (error !== undefined) told?.session.onError('worker', error, [...secrets, ...this.#lateSecrets.values]);
    lost[0]?.session.warn(`a worker is gone, and ${plural(lost.length, 'session')} with it: ${reason}`);
    for (const { session } of lost) session.onLost(reason);
    return lost;
  }

  #handleNotification(notice: Exclude<WorkerNotification, { loaded: unknown } | { notLoaded: unknown }>): void {
    const episode = this.#episodes.get(notice.episode);
    if (!episode) return;
    if ('warning' in notice) episode.session.warn(notice.warning);
    else if ('handle' in notice) episode.handles.push(notice.handle);
    else episode.session.onError(notice.what, new RemoteError(notice.error));
  }
}

import { deferred, plural, RecentSecrets, settlesWithin } from '../core/index.ts';
import type { JSONValue } from '../protocol/index.ts';
import { RemoteError, WorkerLostError } from './errors.ts';
import type { EnvironmentInfo, HostedSession } from './hosted-environment.ts';
import type {
  EpisodeNotification,
  WorkerMethodName,
  WorkerMethodParams,
  WorkerMethodResult,
} from './worker-messages.ts';
import { WorkerRpcClient } from './worker-rpc-client.ts';
import type { WorkerThread } from './worker-thread.ts';

/** An episode in a worker. */
export interface WorkerEpisode {
  readonly number: number;
  readonly environment: string;
  readonly session: HostedSession;
  /** Names of resources outside of the process, for `reap`. */
  readonly handles: JSONValue[];
  /** Resolves when the handles are cleaned up; undefined while the worker lives. */
  cleanedUp: Promise<void> | undefined;
}

/** Number of running calls that a message names. */
const MAX_NAMED = 5;

/** The host side of one worker: its thread, its calls, its episodes and its heartbeat. */
export class WorkerHost {
  readonly rpc: WorkerRpcClient;
  /** The environments of its module. Rejects if the module does not load. */
  readonly loaded: Promise<readonly EnvironmentInfo[]>;
  readonly #episodes = new Map<number, WorkerEpisode>();
  /** Secrets of removed episodes, which late errors can still contain. */
  readonly #recentSecrets = new RecentSecrets();
  readonly #thread: WorkerThread;
  readonly #ended: Promise<void>;
  readonly #heartbeat: WorkerHeartbeat;
  #lastEpisode: WorkerEpisode | undefined;
  #isLoaded = false;
  #terminatesWhenIdle = false;
  #terminationReason: string | undefined;
  #exit: { readonly why: string; readonly error: unknown } | undefined;

  /** @param onEnd called with the episodes that were lost. */
  constructor(thread: WorkerThread, onEnd: (lost: readonly WorkerEpisode[]) => void) {
    this.#thread = thread;
    const load = deferred<readonly EnvironmentInfo[]>();
    this.loaded = load.promise;
    this.loaded.then(
      () => (this.#isLoaded = true),
      () => undefined,
    );
    this.rpc = new WorkerRpcClient(thread, (notification) => {
      if ('loaded' in notification) load.resolve(notification.loaded);
      else if ('loadError' in notification) load.reject(new Error(notification.loadError));
      else this.#handleNotification(notification);
    });
    const ended = deferred();
    this.#ended = ended.promise;
    thread.onEnd((why, error) => {
      this.#exit = { why: this.#terminationReason ?? why, error };
      load.reject(new WorkerLostError(this.#exit.why));
      onEnd(this.#handleExit(this.#exit.why, error));
      ended.resolve();
    });
    this.#heartbeat = new WorkerHeartbeat({
      // A lost worker is not blocked.
      ping: () => this.rpc.call('ping', {}).catch(() => undefined),
      isNeeded: () => this.#isLoaded && !this.#terminateIfIdle(),
      onUnresponsive: (ms) =>
        this.#warn(`the worker of this session has not responded for ${ms.toFixed()} ms; ${this.#runningDescription}`),
      onRecovered: (ms) => this.#warn(`the worker of this session responds again, after ${ms.toFixed()} ms`),
    });
  }

  /** Why the worker ended, and the uncaught error that ended it, if any. Undefined while it lives. */
  get exit(): { readonly why: string; readonly error: unknown } | undefined {
    return this.#exit;
  }

  /** True once the worker is being terminated and accepts no more calls. */
  get isTerminating(): boolean {
    return this.#terminationReason !== undefined;
  }

  /** True while code blocks the worker. A worker that is loading its module is not unresponsive. */
  get isUnresponsive(): boolean {
    return this.#heartbeat.isUnresponsive;
  }

  get episodeCount(): number {
    return this.#episodes.size;
  }

  /** Number of episodes and pending calls. */
  get load(): number {
    return this.#episodes.size + this.rpc.pendingCount;
  }

  addEpisode(episode: WorkerEpisode): void {
    this.#episodes.set(episode.number, episode);
  }

  removeEpisode(episode: WorkerEpisode): void {
    if (!this.#episodes.delete(episode.number)) return;
    this.#lastEpisode = episode;
    this.#recentSecrets.add(Object.values(episode.session.secrets));
  }

  /** Calls a method until the signal aborts. Terminates a worker that an abandoned call blocks. */
  callUntil<Name extends WorkerMethodName>(
    signal: AbortSignal | undefined,
    method: Name,
    params: WorkerMethodParams<Name>,
  ): Promise<WorkerMethodResult<Name>> {
    return this.rpc.callUntil(signal, method, params, () => void this.terminateIfUnresponsive());
  }

  /** Aborts the signal of an episode. */
  abort(episode: number): void {
    if (!this.#exit) this.#thread.post({ abortEpisode: episode });
  }

  /** Tears down an episode whose `open` was abandoned. */
  discardEpisode(episode: number): void {
    this.abort(episode);
    // A lost worker needs no teardown.
    this.rpc.call('teardown', { episode }).catch(() => undefined);
  }

  /** Terminates the worker and everything that runs in it. */
  async terminate(why: string): Promise<void> {
    this.#terminationReason ??= why;
    await this.#thread.terminate();
    await this.#ended;
  }

  /** Terminates the worker if it does not respond within this time, by default a second. */
  async terminateIfUnresponsive(ms?: number): Promise<void> {
    if (!this.#isLoaded || (await this.#heartbeat.respondsWithin(ms))) return;
    await this.terminate(`its worker was blocked; ${this.#runningDescription}`);
  }

  /** Terminates the worker once it has no episodes and no pending calls. */
  terminateWhenIdle(): void {
    this.#terminatesWhenIdle = true;
  }

  #terminateIfIdle(): boolean {
    const isIdle = this.load === 0;
    if (isIdle && this.#terminatesWhenIdle) void this.terminate('it had nothing left to do');
    return isIdle;
  }

  get #runningDescription(): string {
    const names = new Set(this.rpc.running.map(({ name }) => name));
    if (names.size === 0) return 'running there: code outside of any call';
    return `running there: ${[...names].slice(0, MAX_NAMED).join(', ')}`;
  }

  /** Logs a warning for a session with a running call, otherwise for any session. */
  #warn(message: string): void {
    const [running] = this.rpc.running.flatMap(({ episode }) => this.#episodes.get(episode ?? 0) ?? []);
    const [any] = this.#episodes.values();
    (running ?? any)?.session.warn(message);
  }

  #handleNotification(notification: EpisodeNotification): void {
    const episode = this.#episodes.get(notification.episode);
    if (!episode) return;
    if ('warning' in notification) episode.session.warn(notification.warning);
    else if ('handle' in notification) episode.handles.push(notification.handle);
    else episode.session.onError(notification.label, new RemoteError(notification.error));
  }

  #handleExit(reason: string, error: unknown): readonly WorkerEpisode[] {
    this.#heartbeat.stop();
    const lost = [...this.#episodes.values()];
    this.#episodes.clear();
    this.rpc.end(reason);
    // Any session can have caused the error, so it is reported once, without the secrets of all of them.
    const secrets = lost.flatMap(({ session }) => Object.values(session.secrets));
    const reported = lost[0] ?? this.#lastEpisode;
    if (error !== undefined) reported?.session.onError('worker', error, [...secrets, ...this.#recentSecrets.values]);
    lost[0]?.session.warn(`lost a worker with ${plural(lost.length, 'session')}: ${reason}`);
    for (const { session } of lost) session.onLost(reason);
    return lost;
  }
}

/** Interval of the heartbeat, and time after which a worker without a response is unresponsive, in milliseconds. */
const UNRESPONSIVE_MS = 1_000;

interface HeartbeatOptions {
  /** Resolves when the worker responds. Never rejects. */
  readonly ping: () => Promise<void>;
  /** Returns false if nothing runs in the worker. */
  readonly isNeeded: () => boolean;
  /** Called once each time the worker becomes unresponsive, with the time since the ping. */
  readonly onUnresponsive: (ms: number) => void;
  /** Called when the worker responds again, with the time since the ping. */
  readonly onRecovered: (ms: number) => void;
}

/** Checks at intervals whether a worker responds. */
class WorkerHeartbeat {
  readonly #options: HeartbeatOptions;
  readonly #timer: NodeJS.Timeout;
  /** Time of the ping without a response. */
  #pingedAt: number | undefined;
  #isUnresponsive = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    // Responses that arrived while this thread was busy are read before the check.
    this.#timer = setInterval(() => setImmediate(() => this.#check()), UNRESPONSIVE_MS).unref();
  }

  get isUnresponsive(): boolean {
    return this.#isUnresponsive;
  }

  respondsWithin(ms = UNRESPONSIVE_MS): Promise<boolean> {
    return settlesWithin(ms, this.#options.ping(), { afterIo: true });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #check(): void {
    if (this.#pingedAt === undefined) {
      if (this.#options.isNeeded()) void this.#ping();
    } else if (!this.#isUnresponsive) {
      this.#isUnresponsive = true;
      this.#options.onUnresponsive(performance.now() - this.#pingedAt);
    }
  }

  async #ping(): Promise<void> {
    const pingedAt = performance.now();
    this.#pingedAt = pingedAt;
    await this.#options.ping();
    this.#pingedAt = undefined;
    if (!this.#isUnresponsive) return;
    this.#isUnresponsive = false;
    this.#options.onRecovered(performance.now() - pingedAt);
  }
}

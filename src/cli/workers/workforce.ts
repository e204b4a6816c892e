import { type Backoff, backoffMs, deferred, noun, startTimer } from '../../core/index.ts';
import { startWorkerProcess, type WorkerProcess, type WorkerStopSignal } from './worker.ts';

/** Delays before a worker that has ended is restarted. */
const RESTART_BACKOFF: Backoff = { firstMs: 1_000, longestMs: 30_000 };
/** A worker that has lived as long as this begins with the first delay again. */
const MIN_STABLE_MS = 60_000;

interface WorkerSlot {
  readonly tag: string;
  worker: WorkerProcess;
  startedAt: number;
  failures: number;
  cancelRestart?: () => void;
}

/** Workers that are started together, replaced one by one when they end, and stopped together. */
export class WorkerSupervisor {
  /** How each ended, when all have been told to stop and have done so. */
  readonly stopped: Promise<string[]>;
  readonly #stopped = deferred<string[]>();
  readonly #tags: readonly string[];
  #slots: WorkerSlot[] = [];
  #stopCount = 0;

  constructor(tags: readonly string[]) {
    this.#tags = tags;
    this.stopped = this.#stopped.promise;
    // Whatever ends this process: detached workers see that it is gone, but one that is caught in a loop does not look.
    process.once('exit', () => this.#signal('SIGKILL'));
  }

  /** Resolves when all listen; to false if they were told to stop before. @throws Error if one fails; then all have ended. */
  async start(): Promise<boolean> {
    this.#slots = this.#tags.map((tag, place) => ({
      tag,
      worker: startWorkerProcess(place, tag),
      startedAt: performance.now(),
      failures: 0,
    }));
    const areReady = await Promise.all(this.#slots.map(({ worker }) => worker.ready));
    const failed = this.#slots.filter((_, place) => !areReady[place]);
    if (failed.length > 0) {
      this.#signal('SIGKILL');
      await Promise.all(this.#slots.map(({ worker }) => worker.ended));
      if (this.#stopCount > 0) return false;
      const names = failed.map(({ tag }) => tag).join(', ');
      const who = `${noun(failed.length, 'worker')} ${names} ${noun(failed.length, 'does', 'do')}`;
      throw new Error(`${who} not start, for the reason above; no worker is left running`);
    }
    for (const post of this.#slots) void this.#watch(post);
    return this.#stopCount === 0;
  }

  /** Which processes there are, in one line. */
  describe(): string {
    const each = this.#slots.map(({ tag, worker }) => `${tag} (pid ${worker.pid})`);
    return `${each.length} workers serve: ${each.join(', ')}`;
  }

  /** Passes a signal on to all; told again they wait for nothing, and the third time they are killed. */
  stop(signal: WorkerStopSignal): void {
    this.#stopCount++;
    if (this.#stopCount === 1) process.stdout.write('stopping all workers\n');
    for (const { cancelRestart } of this.#slots) cancelRestart?.();
    this.#signal(this.#stopCount < 3 ? signal : 'SIGKILL');
    if (this.#stopCount > 1) return;
    void Promise.all(this.#slots.map(({ worker }) => worker.ended)).then(this.#stopped.resolve);
  }

  async #watch(post: WorkerSlot): Promise<void> {
    const ending = await post.worker.ended;
    if (this.#stopCount > 0) return;
    if (performance.now() - post.startedAt >= MIN_STABLE_MS) post.failures = 0;
    const { tag } = post;
    const delayMs = backoffMs(post.failures++, RESTART_BACKOFF);
    const what =
      ending === 'exit code 0' ? 'ended as it was told' : `ended (${ending}); the sessions that it had are lost`;
    process.stderr.write(`ors: worker ${tag} ${what}; it is started anew in ${(delayMs / 1_000).toFixed(1)} s\n`);
    post.cancelRestart = startTimer(delayMs, () => this.#replace(post));
  }

  #replace(post: WorkerSlot): void {
    post.worker = startWorkerProcess(this.#tags.indexOf(post.tag), post.tag);
    post.startedAt = performance.now();
    void this.#watch(post);
  }

  #signal(name: WorkerStopSignal | 'SIGKILL'): void {
    for (const { worker } of this.#slots) worker.signal(name);
  }
}

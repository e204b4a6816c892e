import { type Awaitable, andFinally, isPromiseLike } from '../../core/index.ts';
import type { CallMode } from '../../environment/index.ts';
import { type Link, LinkedList } from './linked-list.ts';

/** Work that waits or runs. */
interface ActiveWork extends Link<ActiveWork> {
  /** Name of the tool whose next call must wait for this one; undefined for work that others need not wait for. */
  readonly serialTool: string | undefined;
  /** Settles when the work has ended. Never rejects. */
  readonly settled: Promise<unknown>;
}

/**
 * Decides when the calls of a session run. Calls of the same tool run one at a time, in order of arrival; calls of
 * different tools overlap. (A grader that runs twice at once could pay twice.) Calls of concurrent tools overlap with all
 * others except exclusive ones. An exclusive call waits until no call runs; while it waits or runs, no other call starts.
 * Source: openreward 0.1.167.
 */
export class ToolQueue {
  /** A session runs few calls, and the youngest one of a tool is found quickly; a Map would take several times the memory. */
  readonly #active = new LinkedList<ActiveWork>();
  readonly #gate = new ExclusionGate();

  /**
   * Runs a call when its mode allows it.
   *
   * @param waiting called if the call has to wait; the function that it returns is called at the end of the wait.
   */
  run<T>(tool: string, mode: CallMode, task: () => Awaitable<T>, waiting: () => () => void): Awaitable<T> {
    const serialTool = mode === 'serial' ? tool : undefined;
    const before =
      serialTool === undefined ? undefined : this.#active.find((each) => each.serialTool === serialTool)?.settled;
    // A call that waits for its own tool has not reached the gate, so an exclusive call overtakes it.
    const entered = before ? before.then(() => this.#gate.enter(mode)) : this.#gate.enter(mode);
    const runInside = () => andFinally(task, () => this.#gate.leave());
    const result = isPromiseLike(entered) ? entered.then(waiting()).then(runInside) : runInside();
    return this.#add(result, serialTool);
  }

  /** Runs work beside all calls, so that only `idle` waits for it. */
  runBeside<T>(work: () => Awaitable<T>): Awaitable<T> {
    return this.#add(work(), undefined);
  }

  #add<T>(result: Awaitable<T>, serialTool: string | undefined): Awaitable<T> {
    if (!isPromiseLike(result)) return result;
    const settle = () => this.#active.remove(own);
    const settled: Promise<unknown> = result.then(settle, settle);
    const own: ActiveWork = { serialTool, settled, older: undefined, younger: undefined };
    this.#active.add(own);
    return result;
  }

  get isIdle(): boolean {
    return this.#active.oldest === undefined;
  }

  /** Resolves when nothing is running. */
  async idle(): Promise<void> {
    for (let each = this.#active.oldest; each; each = this.#active.oldest) await each.settled;
  }
}

/** Call that waits at the gate. */
interface WaitingCall {
  readonly mode: CallMode;
  readonly resume: () => void;
}

/**
 * Keeps exclusive calls apart from all others: either any number of others is inside, or one exclusive call. Calls enter in
 * the order in which they arrive, which is the order of a replay.
 */
class ExclusionGate {
  #inside = 0;
  #isExclusive = false;
  /** Undefined if no call waits. */
  #waiting: WaitingCall[] | undefined;

  /** Returns a promise if the call has to wait. It is inside as soon as the promise resolves. */
  enter(mode: CallMode): Awaitable<void> {
    const isBlocked = mode === 'exclusive' ? this.#inside > 0 : this.#isExclusive;
    if (isBlocked || this.#waiting) {
      return new Promise((resume) => {
        this.#waiting ??= [];
        this.#waiting.push({ mode, resume });
      });
    }
    this.#inside++;
    this.#isExclusive = mode === 'exclusive';
  }

  leave(): void {
    this.#inside--;
    if (this.#inside > 0) return;
    const waiting = this.#waiting ?? [];
    this.#isExclusive = waiting[0]?.mode === 'exclusive';
    const firstExclusive = waiting.findIndex(({ mode }) => mode === 'exclusive');
    const count = this.#isExclusive ? 1 : firstExclusive === -1 ? waiting.length : firstExclusive;
    const resumed = waiting.splice(0, count);
    if (waiting.length === 0) this.#waiting = undefined;
    this.#inside = resumed.length;
    for (const { resume } of resumed) resume();
  }
}

import { measureEventLoopLag } from '../../metrics/index.ts';
import type { ServerLog } from '../log.ts';
import type { AuthorWork, AuthorWorkEnd, Observer, ObserverSpan } from './observer.ts';

/** From this long on other sessions notice, in milliseconds. */
const BLOCKED_MS = 200;
const MAX_NAMED = 5;

/** Whose code ran since the last look at the clock. */
interface RecentWork {
  readonly running: ObservedWork[];
  ended: AuthorWork[];
  /** Whose code did not return for too long. */
  culprit: AuthorWork | undefined;
}

/**
 * Warns when nothing else could run in this thread for a while: for how long, and whose code ran meanwhile. Where one
 * piece of code did not return for so long it is named alone; else all that were under way are, unless it was the server
 * that loaded something.
 */
export function warnOnBlockedEventLoop(log: ServerLog): {
  readonly observer: Partial<Observer>;
  readonly stop: () => void;
} {
  const lately: RecentWork = { running: [], ended: [], culprit: undefined };
  let loads = 0;
  /** What was loaded since the last look may have ended before this one. */
  let loaded = false;
  const { stop } = measureEventLoopLag((seconds) => {
    const ms = Math.round(seconds * 1_000);
    const { running, ended, culprit } = lately;
    const others = loads > 0 || loaded ? [] : [...running.map(({ work }) => work), ...ended];
    const during = culprit ? [culprit] : others.slice(0, MAX_NAMED);
    if (ms >= BLOCKED_MS && during.length > 0) notify(ms, during);
    lately.culprit = undefined;
    lately.ended = [];
    loaded = false;
  });
  const notify = (ms: number, during: readonly AuthorWork[]) => {
    const names = during.map(nameOf).join(', ');
    const [first] = during;
    log.warn(
      { ms, ...(during.length === 1 && { sid: first?.sid, environment: first?.environment, tool: first?.tool }) },
      lately.culprit
        ? `${names} blocked the event loop for ${ms} ms; every session waited`
        : `the event loop was blocked for ${ms} ms while these ran: ${names}; every session waited`,
    );
  };
  return {
    stop,
    observer: {
      loading() {
        loads++;
        return () => {
          loads--;
          loaded = true;
        };
      },
      authorWork: (work) => new ObservedWork(work, lately),
    },
  };
}

/** An object where closures would take twice its memory: there may be very many at once. */
class ObservedWork implements ObserverSpan<AuthorWorkEnd> {
  readonly work: AuthorWork;
  readonly #lately: RecentWork;
  #place: number;

  constructor(work: AuthorWork, lately: RecentWork) {
    this.work = work;
    this.#lately = lately;
    this.#place = lately.running.length;
    lately.running.push(this);
  }

  run<T>(code: () => T): T {
    const since = performance.now();
    try {
      return code();
    } finally {
      if (performance.now() - since >= BLOCKED_MS) this.#lately.culprit = this.work;
    }
  }

  ended(): void {
    const { running, ended } = this.#lately;
    // The last one takes its place, which costs a call less than to be found in a Map.
    const last = running.pop();
    if (last && last !== this) {
      running[this.#place] = last;
      last.#place = this.#place;
    }
    // Those that run are named first, so more are never told of.
    if (ended.length < MAX_NAMED) ended.push(this.work);
  }
}

const nameOf = ({ kind, tool, environment }: AuthorWork): string =>
  kind === 'call' ? `tool '${tool ?? '?'}' of '${environment}'` : `${kind} of '${environment}'`;

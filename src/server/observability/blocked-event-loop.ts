import { measureEventLoopLag } from '../../metrics/index.ts';
import type { AuthorWork, AuthorWorkEnd, Observer, ObserverSpan } from './observer.ts';
import type { ServerLog } from './server-log.ts';

/** Delay from which a blocked event loop is noticeable, in milliseconds. */
const BLOCKED_MS = 200;
const MAX_NAMED = 5;

/** Author code that ran since the last measurement. */
interface RecentWork {
  readonly running: ObservedWork[];
  ended: AuthorWork[];
  /** Code that blocked the event loop by itself. */
  culprit: AuthorWork | undefined;
}

/**
 * Logs a warning with the duration and the responsible author code after the event loop was blocked. If one synchronous
 * call took that long, the warning names it; otherwise it names all code that ran meanwhile. Nothing is
 * logged if the server loaded a module.
 */
export function warnOnBlockedEventLoop(log: ServerLog): {
  readonly observer: Partial<Observer>;
  readonly stop: () => void;
} {
  const recent: RecentWork = { running: [], ended: [], culprit: undefined };
  let loading = 0;
  /** True if loading ended since the last measurement. */
  let hasLoaded = false;
  const { stop } = measureEventLoopLag((seconds) => {
    const ms = Math.round(seconds * 1_000);
    const { running, ended, culprit } = recent;
    const others = loading > 0 || hasLoaded ? [] : [...running.map(({ work }) => work), ...ended];
    const suspects = culprit ? [culprit] : others.slice(0, MAX_NAMED);
    if (ms >= BLOCKED_MS && suspects.length > 0) warn(ms, suspects);
    recent.culprit = undefined;
    recent.ended = [];
    hasLoaded = false;
  });
  const warn = (ms: number, suspects: readonly AuthorWork[]) => {
    const names = suspects.map(nameOf).join(', ');
    const [first] = suspects;
    log.warn(
      { ms, ...(suspects.length === 1 && { sid: first?.sid, environment: first?.environment, tool: first?.tool }) },
      recent.culprit
        ? `${names} blocked the event loop for ${ms} ms; every session waited`
        : `the event loop was blocked for ${ms} ms while these ran: ${names}; every session waited`,
    );
  };
  return {
    stop,
    observer: {
      loading() {
        loading++;
        return () => {
          loading--;
          hasLoaded = true;
        };
      },
      authorWork: (work) => new ObservedWork(work, recent),
    },
  };
}

/** A class, since closures would take twice the memory and there can be very many spans at a time. */
class ObservedWork implements ObserverSpan<AuthorWorkEnd> {
  readonly work: AuthorWork;
  readonly #recent: RecentWork;
  #index: number;

  constructor(work: AuthorWork, recent: RecentWork) {
    this.work = work;
    this.#recent = recent;
    this.#index = recent.running.length;
    recent.running.push(this);
  }

  run<T>(code: () => T): T {
    const since = performance.now();
    try {
      return code();
    } finally {
      if (performance.now() - since >= BLOCKED_MS) this.#recent.culprit = this.work;
    }
  }

  ended(): void {
    const { running, ended } = this.#recent;
    // Moving the last element into the gap is faster than a Map.
    const last = running.pop();
    if (last && last !== this) {
      running[this.#index] = last;
      last.#index = this.#index;
    }
    if (ended.length < MAX_NAMED) ended.push(this.work);
  }
}

const nameOf = ({ kind, tool, environment }: AuthorWork): string =>
  kind === 'call' ? `tool '${tool ?? '?'}' of '${environment}'` : `${kind} of '${environment}'`;

import type { StreamWatch } from '../../http/index.ts';
import type { Observer, ObserverSpan } from './observer.ts';
import { runInSpan } from './run-watched.ts';

/** Several observers, each of which has the parts that it cares for, as one that has them all. */
export function combineObservers(observers: readonly Partial<Observer>[]): Observer {
  // The cast: what the observers have under a key is of the key's type.
  const all = <Key extends keyof Observer>(key: Key) =>
    observers.flatMap((each) => each[key] ?? []) as unknown as Observer[Key][];
  return {
    request: watchedByAll(all('request'), together),
    authorWork: watchedByAll(all('authorWork'), together),
    stream: watchedByAll<void, StreamWatch>(all('stream'), streamTogether),
    readerStalled: toldToAll(all('readerStalled')),
    sessionOpened: toldToAll(all('sessionOpened')),
    sessionEnded: toldToAll(all('sessionEnded')),
    sessionTornDown: toldToAll(all('sessionTornDown')),
    waiting: begunWithAll(all('waiting')),
    loading: begunWithAll<void>(all('loading')),
    callRepeated: toldToAll(all('callRepeated')),
    rejected: toldToAll(all('rejected')),
  };
}

function toldToAll<Args extends unknown[]>(listeners: readonly ((...args: Args) => void)[]): (...args: Args) => void {
  const [only] = listeners;
  if (only && listeners.length === 1) return only;
  return (...args) => {
    for (const listener of listeners) listener(...args);
  };
}

function begunWithAll<Arg>(begins: readonly ((arg: Arg) => () => void)[]): (arg: Arg) => () => void {
  const [only] = begins;
  if (only && begins.length === 1) return only;
  return (arg) => toldToAll(begins.map((begin) => begin(arg)));
}

/** Gives what those make together who want to watch; nothing if nobody does. */
function watchedByAll<Arg, W>(
  begins: readonly ((arg: Arg) => W | undefined)[],
  join: (one: W, other: W) => W,
): (arg: Arg) => W | undefined {
  const [first = () => undefined, ...others] = begins;
  return others.reduce((before, begin) => {
    return (arg) => {
      const one = before(arg);
      const other = begin(arg);
      return one && other ? join(one, other) : (one ?? other);
    };
  }, first);
}

const together = <End>(one: ObserverSpan<End>, other: ObserverSpan<End>): ObserverSpan<End> =>
  new CombinedSpan(one, other);

/** An object where closures would take twice its memory: there may be very many at once. */
class CombinedSpan<End> implements ObserverSpan<End> {
  readonly #one: ObserverSpan<End>;
  readonly #other: ObserverSpan<End>;

  constructor(one: ObserverSpan<End>, other: ObserverSpan<End>) {
    this.#one = one;
    this.#other = other;
  }

  run<T>(work: () => T): T {
    return runInSpan(this.#one, () => runInSpan(this.#other, work));
  }

  ended(end: End): void {
    this.#one.ended(end);
    this.#other.ended(end);
  }
}

const streamTogether = (one: StreamWatch, other: StreamWatch): StreamWatch => ({
  sent(bytes) {
    one.sent(bytes);
    other.sent(bytes);
  },
  waits(isWaiting) {
    one.waits(isWaiting);
    other.waits(isWaiting);
  },
  closed() {
    one.closed();
    other.closed();
  },
});

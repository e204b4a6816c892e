import type { StreamWatch } from '../../http/index.ts';
import type { Observer, Watch } from './observer.ts';
import { runWatched } from './run-watched.ts';

/** Several observers, each of which has the parts that it cares for, as one that has them all. */
export function observeAll(observers: readonly Partial<Observer>[]): Observer {
  // The cast: what the observers have under a key is of the key's type.
  const all = <Key extends keyof Observer>(key: Key) =>
    observers.flatMap((each) => each[key] ?? []) as unknown as Observer[Key][];
  return {
    request: watchedByAll(all('request'), together),
    work: watchedByAll(all('work'), together),
    stream: watchedByAll<void, StreamWatch>(all('stream'), streamTogether),
    readerStalled: toldToAll(all('readerStalled')),
    sessionOpened: toldToAll(all('sessionOpened')),
    sessionEnded: toldToAll(all('sessionEnded')),
    sessionGone: toldToAll(all('sessionGone')),
    waiting: begunWithAll(all('waiting')),
    loading: begunWithAll<void>(all('loading')),
    callRepeated: toldToAll(all('callRepeated')),
    refused: toldToAll(all('refused')),
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

const together = <End>(one: Watch<End>, other: Watch<End>): Watch<End> => new Both(one, other);

/** An object where closures would take twice its memory: there may be very many at once. */
class Both<End> implements Watch<End> {
  readonly #one: Watch<End>;
  readonly #other: Watch<End>;

  constructor(one: Watch<End>, other: Watch<End>) {
    this.#one = one;
    this.#other = other;
  }

  run<T>(work: () => T): T {
    return runWatched(this.#one, () => runWatched(this.#other, work));
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

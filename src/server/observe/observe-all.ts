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
  join: (watches: readonly W[]) => W,
): (arg: Arg) => W | undefined {
  const [only] = begins;
  if (only && begins.length === 1) return only;
  return (arg) => {
    const watches: W[] = [];
    for (const begin of begins) {
      const watch = begin(arg);
      if (watch) watches.push(watch);
    }
    return watches.length > 1 ? join(watches) : watches[0];
  };
}

const together = <End>(watches: readonly Watch<End>[]): Watch<End> => new Watches(watches);

/** An object where closures would take twice its memory: there may be very many at once. */
class Watches<End> implements Watch<End> {
  readonly #watches: readonly Watch<End>[];

  constructor(watches: readonly Watch<End>[]) {
    this.#watches = watches;
  }

  run<T>(work: () => T): T {
    return this.#watches.reduceRight((inner, watch) => (watch.run ? () => runWatched(watch, inner) : inner), work)();
  }

  ended(end: End): void {
    for (const watch of this.#watches) watch.ended(end);
  }
}

const streamTogether = (watches: readonly StreamWatch[]): StreamWatch => ({
  sent: toldToAll(watches.map((watch) => (bytes: number) => watch.sent(bytes))),
  waits: toldToAll(watches.map((watch) => (isWaiting: boolean) => watch.waits(isWaiting))),
  closed: toldToAll(watches.map((watch) => () => watch.closed())),
});

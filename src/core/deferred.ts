import { onAbort } from './abort.ts';
import { startTimer } from './timers.ts';

/** A promise with the functions that settle it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
  readonly reject: (reason: unknown) => void;
}

/** Same as `Promise.withResolvers`, which Node 20 lacks. */
export function deferred<T = void>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => {};
  let reject: Deferred<T>['reject'] = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Condition variable: waits until a predicate is true, and checks it whenever it is notified. */
export class Condition {
  readonly #checks = new Set<() => void>();

  /** Makes all waiting calls check their predicates again. */
  notify(): void {
    for (const check of [...this.#checks]) check();
  }

  /**
   * Resolves to true as soon as the predicate is true: now, or after `notify()`. Resolves to its current value when the
   * time is over or the signal aborts.
   */
  until(
    predicate: () => boolean,
    options: { readonly ms?: number; readonly signal?: AbortSignal } = {},
  ): Promise<boolean> {
    if (predicate()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const cleanUps: (() => void)[] = [];
      const finish = (result: boolean) => {
        this.#checks.delete(check);
        for (const cleanUp of cleanUps) cleanUp();
        resolve(result);
      };
      const check = () => {
        if (predicate()) finish(true);
      };
      this.#checks.add(check);
      const giveUp = () => finish(predicate());
      if (options.ms !== undefined) cleanUps.push(startTimer(options.ms, giveUp));
      cleanUps.push(onAbort(options.signal, giveUp));
    });
  }
}

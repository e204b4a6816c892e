/** A signal of one's own that others abort as well. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  abort(reason: unknown): void;
  /** Ends the joint; must be called. */
  release(): void;
}

/** Joins signals for a time; AbortSignal.any would hold on to long-lived ones for as long as they live. */
export function joinSignals(...others: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const controller = new AbortController();
  const abort = (reason: unknown) => controller.abort(reason);
  const listeners = others.flatMap((other) => {
    if (!other) return [];
    const listener = () => abort(other.reason);
    if (other.aborted) listener();
    else other.addEventListener('abort', listener, { once: true });
    return [{ other, listener }];
  });
  return {
    signal: controller.signal,
    abort,
    release() {
      for (const { other, listener } of listeners) other.removeEventListener('abort', listener);
    },
  };
}

/** Waits. Rejects with the signal's reason if it aborts first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Calls back after a time of silence. */
export interface Watchdog {
  heard(): void;
  stop(): void;
}

/** @param onSilence gives the time until it is called again, in ms, or undefined for never. */
export function watchdog(ms: number, onSilence: () => number | undefined): Watchdog {
  let heardAt = performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Setting a timer for each piece of a stream would cost more than reading it.
  const wait = (forMs: number) => {
    timer = setTimeout(() => {
      const left = heardAt + ms - performance.now();
      const next = left > 0 ? left : onSilence();
      if (next !== undefined) wait(next);
    }, forMs);
  };
  wait(ms);
  return {
    heard() {
      heardAt = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}

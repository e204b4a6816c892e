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

/** Waits. Rejects with the reason of the first signal that aborts. */
export async function pause(ms: number, ...signals: readonly (AbortSignal | undefined)[]): Promise<void> {
  const { signal, release } = joinSignals(...signals);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  } finally {
    clearTimeout(timer);
    release();
  }
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

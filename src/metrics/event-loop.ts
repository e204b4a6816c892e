const EVERY_MS = 50;

/**
 * Tells, every 50 ms, how late that was, in seconds. What Node measures by itself can be read by one reader only: each
 * reading begins anew.
 */
export function measureEventLoopLag(notify: (seconds: number) => void): { stop: () => void } {
  let due = performance.now() + EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    notify(Math.max(0, now - due) / 1_000);
    due = now + EVERY_MS;
  }, EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}

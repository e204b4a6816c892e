/**
 * Loaded before a server (`node --expose-gc --import`): answers any message from the parent process with the bytes that
 * are in use once garbage is gone.
 */
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
process.channel?.unref();

/**
 * Preloaded before a server (`node --expose-gc --import`): replies to any message of the parent process with the bytes
 * in use after a garbage collection.
 */
process.on('message', () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
process.channel?.unref();

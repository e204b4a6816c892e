// Preloaded into the servers under attack: SIGUSR2 collects garbage and writes what the process holds.
process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const resources = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`RESOURCES ${JSON.stringify({ resources, heapUsed, external })}\n`);
});

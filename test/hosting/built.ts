const BUILT = new URL('../../dist/src/server/index.js', import.meta.url);

/**
 * The server as it was built. Its workers start from JavaScript, in a fifth of the time that the sources take; one test
 * of `workers.test.ts` starts a worker from the sources.
 */
export const { loadEnvironments, serve } = (await import(BUILT.href)) as typeof import('ors-kit/server');

/** How many workers this process has. */
export const workerCount = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

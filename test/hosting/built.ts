const BUILT = new URL('../../dist/src/server/index.js', import.meta.url);

/**
 * The built server. Its workers load JavaScript, which takes a fifth of the time of the sources; one test
 * of `workers.test.ts` starts a worker from the sources.
 */
export const { loadEnvironments, serve } = (await import(BUILT.href)) as typeof import('ors-kit/server');

/** Returns the number of workers of this process. */
export const workerCount = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;

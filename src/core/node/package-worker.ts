import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a worker thread that runs a module of this package. Built modules are bundled, so the module is found from the
 * folder of the package; from sources, tsx loads it.
 *
 * @param source path of the module in the package.
 * @example
 * const worker = startPackageWorker('src/hosting/worker.ts', { workerData: { module } });
 */
export function startPackageWorker(source: `src/${string}.ts`, options: WorkerOptions): Worker {
  if (import.meta.url.endsWith('.js')) {
    const built = `dist/${source.replace(/\.ts$/, '.js')}`;
    return new Worker(new URL(built, import.meta.resolve('ors-kit/package.json')), options);
  }
  const tsx = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const module = JSON.stringify(new URL(`../../../${source}`, import.meta.url).href);
  const code = `import(${tsx}).then(({ register }) => register()).then(() => import(${module}));`;
  return new Worker(code, { ...options, eval: true });
}

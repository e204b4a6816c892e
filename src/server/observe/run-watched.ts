import type { Watch } from './observer.ts';

/** Runs something for whoever watches it, if somebody does. */
export function runWatched<T>(watch: Pick<Watch<never>, 'run'> | undefined, work: () => T): T {
  return watch?.run ? watch.run(work) : work();
}

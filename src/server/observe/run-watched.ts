import type { ObserverSpan } from './observer.ts';

/** Runs something for whoever watches it, if somebody does. */
export function runInSpan<T>(watch: Pick<ObserverSpan<never>, 'run'> | undefined, work: () => T): T {
  return watch?.run ? watch.run(work) : work();
}

import { type Awaitable, errorMessage, settle } from '../../core/index.ts';
import type { Observer, Work, WorkEnd } from './observer.ts';
import { runWatched } from './run-watched.ts';

/**
 * Runs an author's code that an observer watches. It ends when `run` does, well or with an error, unless that has told
 * its end before.
 */
export function watchWork<T>(
  observer: Observer,
  work: Work,
  run: (end: (end: WorkEnd) => void) => Awaitable<T>,
): Awaitable<T> {
  const watch = observer.work(work);
  let isOver = false;
  const end = (how: WorkEnd) => {
    if (!isOver) watch?.ended(how);
    isOver = true;
  };
  return settle(
    () => runWatched(watch, () => run(end)),
    (result) => {
      end({ outcome: 'ok' });
      return result;
    },
    (error) => {
      end({ outcome: 'error', error: errorMessage(error) });
      throw error;
    },
  );
}

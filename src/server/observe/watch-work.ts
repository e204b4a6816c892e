import { type Awaitable, errorMessage, settle } from '../../core/index.ts';
import type { AuthorWork, AuthorWorkEnd, Observer } from './observer.ts';
import { runInSpan } from './run-watched.ts';

/**
 * Runs an author's code that an observer watches. It ends when `run` does, well or with an error, unless that has told
 * its end before.
 */
export function observeWork<T>(
  observer: Observer,
  work: AuthorWork,
  run: (end: (end: AuthorWorkEnd) => void) => Awaitable<T>,
): Awaitable<T> {
  const watch = observer.authorWork(work);
  let isOver = false;
  const end = (how: AuthorWorkEnd) => {
    if (!isOver) watch?.ended(how);
    isOver = true;
  };
  return settle(
    () => runInSpan(watch, () => run(end)),
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

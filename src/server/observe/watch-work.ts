import type { Observer, Work, WorkEnd } from './observer.ts';
import { runWatched } from './run-watched.ts';

/**
 * Runs an author's code that an observer watches. It ends when `run` does, well or with an error, unless that has told
 * its end before.
 */
export async function watchWork<T>(
  observer: Observer,
  work: Work,
  run: (end: (end: WorkEnd) => void) => Promise<T>,
): Promise<T> {
  const watch = observer.work(work);
  let isOver = false;
  const end = (how: WorkEnd) => {
    if (!isOver) watch?.ended(how);
    isOver = true;
  };
  try {
    const result = await runWatched(watch, () => run(end));
    end({ outcome: 'ok' });
    return result;
  } catch (error) {
    end({ outcome: 'error', error: error instanceof Error ? error.message : undefined });
    throw error;
  }
}

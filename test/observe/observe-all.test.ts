import { expect, test } from '@jest/globals';
import type { Observer } from '../../src/server/observability/observer.ts';
import { combineObservers } from '../../src/server/observability/observer.ts';

/** Observer that records its events under a name, and wraps the spans that it starts. */
function noting(name: string, notes: string[]): Partial<Observer> {
  const watch = () => ({
    run<T>(work: () => T): T {
      notes.push(`${name} before`);
      const result = work();
      notes.push(`${name} after`);
      return result;
    },
    ended: () => void notes.push(`${name} ended`),
  });
  return {
    request: watch,
    authorWork: watch,
    stream: () => ({
      sent: (bytes) => void notes.push(`${name} sent ${bytes}`),
      waits: (isWaiting) => void notes.push(`${name} waits ${isWaiting}`),
      closed: () => void notes.push(`${name} closed`),
    }),
    rejected: (reason) => void notes.push(`${name} refused ${reason}`),
    waiting: (queue) => {
      notes.push(`${name} waits for ${queue}`);
      return () => void notes.push(`${name} waits no more`);
    },
  };
}

const WORK = { kind: 'call', sid: 's', environment: 'e', tool: 't' } as const;

test('nests the spans of several observers and notifies all of them', () => {
  const notes: string[] = [];
  const observer = combineObservers([noting('a', notes), {}, noting('b', notes)]);

  const watch = observer.authorWork(WORK);
  const result = watch?.run?.(() => notes.push('work') && 'done');
  watch?.ended({ outcome: 'ok' });
  observer.stream()?.sent(5);
  observer.rejected('capacity');
  observer.waiting('tool')();

  expect(result).toBe('done');
  expect(notes).toEqual([
    ...['a before', 'b before', 'work', 'b after', 'a after', 'a ended', 'b ended'],
    ...['a sent 5', 'b sent 5', 'a refused capacity', 'b refused capacity'],
    ...['a waits for tool', 'b waits for tool', 'a waits no more', 'b waits no more'],
  ]);
});

test('accepts every event and starts no span without observers', () => {
  const observer = combineObservers([{}]);

  observer.rejected('capacity');
  observer.waiting('tool')();

  expect([observer.request({ method: 'GET', headers: {} }), observer.authorWork(WORK), observer.stream()]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('notifies no observer of the end of a span that it did not start', () => {
  const notes: string[] = [];
  const observer = combineObservers([noting('a', notes), { authorWork: () => undefined }]);

  const watch = observer.authorWork(WORK);
  watch?.ended({ outcome: 'ok' });

  expect(notes).toEqual(['a ended']);
});

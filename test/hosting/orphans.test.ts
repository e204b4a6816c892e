import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type WorkerEpisode, WorkerHost } from '../../src/hosting/worker-host.ts';
import type { WorkerMessage } from '../../src/hosting/worker-messages.ts';
import { cleanUpOrphans, WorkerPool } from '../../src/hosting/worker-pool.ts';
import type { WorkerThread } from '../../src/hosting/worker-thread.ts';

// orphans.slow.test.ts does the same with real workers, which takes longer.

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/**
 * Fakes a worker. The name of a handle selects the behavior of its clean-up: `hang` never ends, `spin` blocks the worker,
 * `exit` ends the worker, `throw` fails; all others succeed at once.
 */
function threadOf(asked: string[]): WorkerThread {
  let hear: (message: WorkerMessage) => void;
  let end: (why: string) => void;
  let begun: BigInt64Array;
  let isSpinning = false;
  const answer = (message: WorkerMessage) => void Promise.resolve().then(() => hear(message));
  return {
    post(message) {
      if ('lastStarted' in message) begun = message.lastStarted;
      if (!('method' in message) || isSpinning) return;
      Atomics.store(begun, 0, BigInt(message.id));
      const { handle = '' } = message.params as { handle?: string };
      if (handle) asked.push(handle);
      if (handle.startsWith('spin')) isSpinning = true;
      else if (handle.startsWith('exit')) void Promise.resolve().then(() => end('its worker ended'));
      else if (handle.startsWith('throw'))
        answer({ id: message.id, failure: { kind: 'thrown', thrown: { message: `no ${handle}`, stack: '' } } });
      else if (!handle.startsWith('hang')) answer({ id: message.id, result: undefined });
    },
    onMessage(listener) {
      hear = listener;
      hear({ loaded: [] });
    },
    onEnd(listener) {
      end = listener;
    },
    terminate: async () => end('its worker ended'),
  };
}

function lodger(handles: string[], told: string[]): WorkerEpisode {
  const session = {
    secrets: {},
    onError: (_what: string, error: unknown) => told.push((error as Error).message),
    onLost: () => undefined,
    warn: () => undefined,
  };
  return { number: 1, environment: 'lab', session, handles, reaped: undefined } as unknown as WorkerEpisode;
}

const left = (handle: string, why: string) => `the resources of handle "${handle}" may be left: ${why}`;

test('gives up a clean-up that exceeds its time limit in a responsive worker, without a retry', async () => {
  const [asked, told]: [string[], string[]] = [[], []];
  let workers = 0;
  const [slow, good] = [lodger(['first', 'hangs', 'last'], told), lodger(['other'], told)];

  const reaping = cleanUpOrphans([slow, good], () => {
    workers += 1;
    return new WorkerHost(threadOf(asked), () => undefined);
  });
  await good.cleanedUp;
  await jest.advanceTimersByTimeAsync(29_000);
  expect(asked).toEqual(['last', 'other', 'hangs']);
  await jest.advanceTimersByTimeAsync(1_000);
  await reaping;

  expect(asked).toEqual(['last', 'other', 'hangs', 'first']);
  expect(told).toEqual([left('hangs', 'its reap took longer than 30 s')]);
  expect(workers).toBe(1);
});

test('cleans up all other sessions when the clean-up of one ends, blocks or fails in the worker', async () => {
  const asked: string[] = [];
  const told = { exits: [], spins: [], throws: [], good: [] } satisfies Record<string, string[]>;
  const lost = [
    lodger(['good 1', 'good 2'], told.good),
    lodger(['exit 1', 'exit 2'], told.exits),
    lodger(['after spin', 'spin 2'], told.spins),
    lodger(['throw 1', 'throw 2'], told.throws),
    lodger(['good 3', 'good 4'], told.good),
  ];
  let isOver = false;
  const reaping = cleanUpOrphans(lost, () => new WorkerHost(threadOf(asked), () => undefined)).then(() => {
    isOver = true;
  });
  for (let second = 0; second < 60 && !isOver; second++) await jest.advanceTimersByTimeAsync(1_000);
  await reaping;

  for (const handle of ['good 1', 'good 2', 'good 3', 'good 4', 'after spin']) expect(asked).toContain(handle);
  expect(lost.flatMap(({ handles }) => handles)).toEqual([]);
  expect(told).toEqual({
    good: [],
    exits: [left('exit 2', 'its worker ended'), left('exit 1', 'its worker ended')],
    spins: [left('spin 2', 'its worker was blocked; running there: reap')],
    throws: ['no throw 2', 'no throw 1'],
  });
});

test('closes the workers although a clean-up never ends, once the time for clean-ups is over', async () => {
  const told: string[] = [];
  const pool = new WorkerPool(() => threadOf([]), 1);
  const { host } = pool.assign();
  const [good, hangs] = [lodger(['good'], told), lodger(['hang 1', 'hang 2'], told)];
  for (const [number, each] of [good, hangs].entries()) host.addEpisode({ ...each, number });

  await host.terminate('its worker ended');
  const closing = pool.close();
  await jest.advanceTimersByTimeAsync(8_000);
  await closing;

  expect(good.handles).toEqual([]);
  expect(told).toEqual([
    left('hang 1', 'Error: the workers of this environment have been closed'),
    left('hang 2', 'Error: the workers of this environment have been closed'),
  ]);
});

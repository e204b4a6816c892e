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
function fakeThread(reaped: string[]): WorkerThread {
  let receive: (message: WorkerMessage) => void;
  let end: (why: string) => void;
  let lastStarted: BigInt64Array;
  let isSpinning = false;
  const respond = (message: WorkerMessage) => void Promise.resolve().then(() => receive(message));
  return {
    post(message) {
      if ('lastStarted' in message) lastStarted = message.lastStarted;
      if (!('method' in message) || isSpinning) return;
      Atomics.store(lastStarted, 0, BigInt(message.id));
      const { handle = '' } = message.params as { handle?: string };
      if (handle) reaped.push(handle);
      if (handle.startsWith('spin')) isSpinning = true;
      else if (handle.startsWith('exit')) void Promise.resolve().then(() => end('its worker ended'));
      else if (handle.startsWith('throw'))
        respond({ id: message.id, failure: { kind: 'thrown', thrown: { message: `no ${handle}`, stack: '' } } });
      else if (!handle.startsWith('hang')) respond({ id: message.id, result: undefined });
    },
    onMessage(listener) {
      receive = listener;
      receive({ loaded: [] });
    },
    onEnd(listener) {
      end = listener;
    },
    terminate: async () => end('its worker ended'),
  };
}

function lostEpisode(handles: string[], errors: string[]): WorkerEpisode {
  const session = {
    secrets: {},
    onError: (_what: string, error: unknown) => errors.push((error as Error).message),
    onLost: () => undefined,
    warn: () => undefined,
  };
  return { number: 1, environment: 'lab', session, handles, reaped: undefined } as unknown as WorkerEpisode;
}

const leftMessage = (handle: string, why: string) => `the resources of handle "${handle}" may be left: ${why}`;

test('gives up a clean-up that exceeds its time limit in a responsive worker, without a retry', async () => {
  const [reaped, errors]: [string[], string[]] = [[], []];
  let workers = 0;
  const [slow, good] = [lostEpisode(['first', 'hangs', 'last'], errors), lostEpisode(['other'], errors)];

  const reaping = cleanUpOrphans([slow, good], () => {
    workers += 1;
    return new WorkerHost(fakeThread(reaped), () => undefined);
  });
  await good.cleanedUp;
  await jest.advanceTimersByTimeAsync(29_000);
  expect(reaped).toEqual(['last', 'other', 'hangs']);
  await jest.advanceTimersByTimeAsync(1_000);
  await reaping;

  expect(reaped).toEqual(['last', 'other', 'hangs', 'first']);
  expect(errors).toEqual([leftMessage('hangs', 'its reap took longer than 30 s')]);
  expect(workers).toBe(1);
});

test('cleans up all other sessions when the clean-up of one ends, blocks or fails in the worker', async () => {
  const reaped: string[] = [];
  const errors = { exits: [], spins: [], throws: [], good: [] } satisfies Record<string, string[]>;
  const lost = [
    lostEpisode(['good 1', 'good 2'], errors.good),
    lostEpisode(['exit 1', 'exit 2'], errors.exits),
    lostEpisode(['after spin', 'spin 2'], errors.spins),
    lostEpisode(['throw 1', 'throw 2'], errors.throws),
    lostEpisode(['good 3', 'good 4'], errors.good),
  ];
  let isOver = false;
  const reaping = cleanUpOrphans(lost, () => new WorkerHost(fakeThread(reaped), () => undefined)).then(() => {
    isOver = true;
  });
  for (let second = 0; second < 60 && !isOver; second++) await jest.advanceTimersByTimeAsync(1_000);
  await reaping;

  for (const handle of ['good 1', 'good 2', 'good 3', 'good 4', 'after spin']) expect(reaped).toContain(handle);
  expect(lost.flatMap(({ handles }) => handles)).toEqual([]);
  expect(errors).toEqual({
    good: [],
    exits: [leftMessage('exit 2', 'its worker ended'), leftMessage('exit 1', 'its worker ended')],
    spins: [leftMessage('spin 2', 'its worker was blocked; running there: reap')],
    throws: ['no throw 2', 'no throw 1'],
  });
});

test('closes the workers although a clean-up never ends, once the time for clean-ups is over', async () => {
  const errors: string[] = [];
  const pool = new WorkerPool(() => fakeThread([]), 1);
  const { host } = pool.assign();
  const [good, hangs] = [lostEpisode(['good'], errors), lostEpisode(['hang 1', 'hang 2'], errors)];
  for (const [number, each] of [good, hangs].entries()) host.addEpisode({ ...each, number });

  await host.terminate('its worker ended');
  const closing = pool.close();
  await jest.advanceTimersByTimeAsync(8_000);
  await closing;

  expect(good.handles).toEqual([]);
  expect(errors).toEqual([
    leftMessage('hang 1', 'Error: the workers of this environment have been closed'),
    leftMessage('hang 2', 'Error: the workers of this environment have been closed'),
  ]);
});

import { expect, jest, test } from '@jest/globals';
import type { FromWorker } from '../../src/hosting/messages.ts';
import { reap } from '../../src/hosting/reap.ts';
import type { Thread } from '../../src/hosting/thread.ts';
import { type Lodger, WorkerHost } from '../../src/hosting/worker-host.ts';

/** A worker that is well, and in which the clean-up of one handle never ends. */
function threadOf(asked: string[]): Thread {
  let hear: (message: FromWorker) => void;
  let end: () => void;
  return {
    post(message) {
      if (!('question' in message)) return;
      const { handle } = message.parameters as { handle?: string };
      if (handle) asked.push(handle);
      if (handle !== 'hangs') void Promise.resolve().then(() => hear({ id: message.id, result: undefined }));
    },
    onMessage(listener) {
      hear = listener;
      hear({ loaded: [] });
    },
    onEnd(listener) {
      end = () => listener('its worker ended');
    },
    terminate: async () => end(),
  };
}

function lodger(handles: string[], told: string[]): Lodger {
  const session = { onError: (_what: string, error: unknown) => told.push(String(error)) };
  return { number: 1, environment: 'lab', session, handles, reaped: undefined } as unknown as Lodger;
}

test('a clean-up that does not end while its worker is well is given up after its time, and not tried again', async () => {
  jest.useFakeTimers();
  const [asked, told]: [string[], string[]] = [[], []];
  let workers = 0;
  const [slow, good] = [lodger(['first', 'hangs', 'last'], told), lodger(['other'], told)];

  const reaping = reap([slow, good], () => {
    workers += 1;
    return new WorkerHost(threadOf(asked), () => undefined);
  });
  await good.reaped;
  await jest.advanceTimersByTimeAsync(29_000);
  expect(asked).toEqual(['last', 'other', 'hangs']);
  await jest.advanceTimersByTimeAsync(1_000);
  await reaping;

  expect(asked).toEqual(['last', 'other', 'hangs', 'first']);
  expect(told).toEqual(['Error: what the handle "hangs" names may be left: its reap took longer than 30 s']);
  expect(workers).toBe(1);
  jest.useRealTimers();
});

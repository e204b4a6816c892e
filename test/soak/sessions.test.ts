import { expect, test } from '@jest/globals';
import { createRepeatedCallAssertion } from '../../bench/load/assertions.ts';
import { loadOn } from './load.ts';
import { type MeasuredServer, startMeasured } from './measured-server.ts';
import { growth, mib, note } from './note.ts';
import { atRest } from './rest.ts';

const SESSIONS = 10_000;
const ROUNDS = 3;

/** Capacity of the list of ended sessions; the warm-up fills it, so that later sessions add nothing. */
const TOMBSTONES = 1_000;

/** Opens all sessions, plays each, closes all. @returns resources of the main thread while all were open */
async function play(server: MeasuredServer, count: number): Promise<number> {
  await using load = await loadOn(server.url);
  const sids = await load.each(
    Array.from({ length: count }, (_, index) => index),
    load.open,
  );
  const { sessions, heap } = await server.weigh();
  expect(sessions).toBe(count);

  for (const text of ['1', '2']) {
    const check = createRepeatedCallAssertion(text, null);
    await load.each(sids, async (sid) => check(await load.call(sid, 'count')));
  }
  await load.each(sids, load.close);
  return heap;
}

test.each(['inline', 'worker'] as const)(
  '10,000 sessions at a time, thrice, %s: memory is back within a tenth, and no handle, thread, file or episode is left',
  async (isolation) => {
    await using server = await startMeasured({ isolation, settings: { tombstones: TOMBSTONES } });
    const first = await atRest(server);
    await play(server, TOMBSTONES);
    const before = await atRest(server);

    const after = [];
    let last = before;
    let open = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const since = performance.now();
      open = await play(server, SESSIONS);
      last = await atRest(server);
      after.push(last);
      const seconds = (performance.now() - since) / 1_000;
      note(`${isolation}, round ${round} of ${ROUNDS}: ${mib(last.held)} at rest, ${seconds.toFixed(0)} s`);
    }

    const bytesEach = (open - last.heap) / SESSIONS;
    note(
      `${isolation}: ${mib(before.held)} before, ${after.map(({ held }) => mib(held)).join(', ')} after ${SESSIONS} ` +
        `sessions each (${growth(before.held, last.held)}); an open one takes ${bytesEach.toFixed(0)} bytes of the main ` +
        `heap; rss ${[before, ...after].map(({ rss }) => mib(rss)).join(', ')}; handles ${first.handles.length} and ` +
        `${last.handles.length}, threads ${before.threads} and ${last.threads}, files ${before.openFiles} and ` +
        `${last.openFiles}, episodes left ${last.episodes}`,
    );
    expect(last.held).toBeLessThan(1.1 * before.held);
    expect(last.handles).toEqual(first.handles);
    expect(last).toMatchObject({ threads: before.threads, openFiles: before.openFiles, sessions: 0, episodes: 0 });
  },
);

import { expect, test } from '@jest/globals';
import { type Load, loadOn, textOf } from './load.ts';
import { type MeasuredServer, startMeasured } from './measured-server.ts';
import { THREADS } from './messages.ts';
import { growth, mib, note } from './note.ts';
import { atRest } from './rest.ts';

const HOURS = 24;
/** Sessions that are there all the time. */
const RESIDENTS = 300;
/** Sessions of an hour that are left alone after their first call. */
const GUESTS = 400;
/** Remembered ids: those of the guests of two hours, and of the episodes that weigh at the end. */
const TOMBSTONES = 2 * GUESTS + THREADS;
/** By then as many guests are gone as are remembered, and the rest has run often enough. */
const SETTLED_HOURS = 4;

const MINUTE_MS = 60_000;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Simulates an hour in which residents ping every ten minutes and guests only open a session. @returns ids of the guests */
async function pass(server: MeasuredServer, load: Load, residents: readonly string[]): Promise<string[]> {
  const ping = async () => expect(new Set(await load.each(residents, load.ping))).toEqual(new Set([200]));
  const guests = await load.each(numbers(GUESTS), load.open);
  await load.each(guests, (sid) => load.call(sid, 'count'));

  await server.advance(10 * MINUTE_MS);
  await ping();
  expect(await server.advance(5 * MINUTE_MS - 1)).toBe(RESIDENTS + GUESTS);
  expect(await server.advance(1)).toBe(RESIDENTS);
  await server.advance(5 * MINUTE_MS);
  await ping();
  for (let minute = 30; minute <= 60; minute += 10) {
    await server.advance(10 * MINUTE_MS);
    await ping();
  }
  return guests;
}

test('in 24 hours of a clock of ours pings keep sessions, others end after 15 minutes to the ms, and nothing grows', async () => {
  await using server = await startMeasured({
    isolation: 'inline',
    settings: { tombstones: TOMBSTONES },
    isClockOurs: true,
  });
  const first = await atRest(server);
  const guests: string[] = [];
  let residents: string[] = [];
  let settled: Awaited<ReturnType<typeof atRest>> | undefined;
  {
    await using load = await loadOn(server.url);
    residents = await load.each(numbers(RESIDENTS), load.open);
  }
  for (let hour = 1; hour <= HOURS; hour++) {
    {
      await using load = await loadOn(server.url);
      guests.push(...(await pass(server, load, residents)));
    }
    if (hour === SETTLED_HOURS) settled = await atRest(server);
    if (hour % SETTLED_HOURS === 0) note(`hour ${hour} of ${HOURS}`);
  }
  const last = await atRest(server);

  await using load = await loadOn(server.url);
  const answers = await load.each(guests, load.ping);
  const counts = await load.each(residents, async (sid) => textOf(await load.call(sid, 'count')));
  const remembered = answers.filter((status) => status === 410).length;
  const before = settled ?? last;
  note(
    `idle for ${HOURS} h: ${RESIDENTS} sessions kept, ${guests.length} expired, ${remembered} of them remembered; ` +
      `${mib(before.held)} after ${SETTLED_HOURS} h, ${mib(last.held)} after ${HOURS} h ` +
      `(${growth(before.held, last.held)}); rss ${mib(before.rss)} and ${mib(last.rss)}; handles ` +
      `${first.handles.length} and ${last.handles.length}`,
  );
  expect(last.held).toBeLessThan(1.1 * before.held);
  expect(last.handles).toEqual(first.handles);
  expect(last).toMatchObject({ sessions: RESIDENTS, episodes: RESIDENTS });
  expect(new Set(counts)).toEqual(new Set(['1']));
  const forgotten = guests.length - 2 * GUESTS;
  expect(answers).toEqual(guests.map((_, index) => (index < forgotten ? 404 : 410)));
});

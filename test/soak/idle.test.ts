import { expect, test } from '@jest/globals';
import { type Load, loadOn, textOf } from './load.ts';
import { type MeasuredServer, startMeasured } from './measured-server.ts';
import { THREADS } from './messages.ts';
import { growth, mib, note } from './note.ts';
import { atRest } from './rest.ts';

const HOURS = 24;
/** Sessions that stay open during the whole test. */
const RESIDENTS = 300;
/** Sessions per hour that get no request after their first call. */
const GUESTS = 400;
/** Tombstones that are kept: those of the guests of two hours, and of the episodes that are measured at the end. */
const TOMBSTONES = 2 * GUESTS + THREADS;
/** Hours after which the tombstones are full and all code is compiled. */
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

test('keeps sessions with pings for 24 simulated hours, ends others after exactly 15 minutes, and does not grow', async () => {
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

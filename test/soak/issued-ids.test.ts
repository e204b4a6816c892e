import { expect, test } from '@jest/globals';
import { pipeline, request } from '../support/http.ts';
import { type MeasuredServer, startMeasured } from './measured-server.ts';
import { mib, note } from './note.ts';

const IDS = 20_000;
const AT_ONCE = 100;
/** Longer than the server keeps an issued id without an episode. */
const FORGOTTEN_MS = 7_000;
/** Half of the memory that all ids would need: at most 10,000 are kept. */
const MOST_BYTES = 1_200_000;

/** Issues ids that are never used, waits until they are forgotten, and returns the bytes of the heap. */
async function issue(server: MeasuredServer, count: number): Promise<number> {
  const requests = Array.from({ length: AT_ONCE }, () => ({ method: 'POST', target: '/create_session' }));
  for (let issued = 0; issued < count; issued += AT_ONCE) {
    const answers = await pipeline(server.url, requests);
    expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200));
  }
  await server.advance(FORGOTTEN_MS);
  return (await server.weigh()).heap;
}

test('session ids that were issued and never used leave nothing behind in memory', async () => {
  await using server = await startMeasured({ isolation: 'inline', isClockOurs: true });
  // Loads Express before memory is measured.
  await request(server.url, { target: '/docs/' });
  const before = await issue(server, 1_000);
  const after = await issue(server, IDS);

  note(`${IDS} ids that were issued and forgotten: ${mib(before)} before, ${mib(after)} after`);
  expect(after - before).toBeLessThan(MOST_BYTES);
});

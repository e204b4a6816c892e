import { expect, test } from '@jest/globals';
import { serve } from 'ors-kit/server';
import { hosted } from '../support/client.ts';
import { fixture } from '../support/environment.ts';
import { GROWTH_BOUND, growth } from '../support/heap.ts';
import { pipeline, type RawRequest, request } from '../support/http.ts';

// test/soak does the same with many more requests, in a separate process.

const AT_ONCE = 50;

/** Sends numbered requests, and checks the status of each response. */
async function sendAll(url: string, from: number, count: number, make: (number: number) => RawRequest, status: number) {
  for (let first = from; first < from + count; first += AT_ONCE) {
    const responses = await pipeline(
      url,
      Array.from({ length: AT_ONCE }, (_, offset) => make(first + offset)),
    );
    expect(responses).toHaveLength(AT_ONCE);
    expect(new Set(responses.map((response) => response.status))).toEqual(new Set([status]));
  }
}

const filler = 'f'.repeat(30_000);
const post = (target: string, body: string, headers: RawRequest['headers'] = []): RawRequest => {
  return { method: 'POST', target, headers: [['Content-Type', 'application/json'], ...headers], body };
};
const typed = (type: string): RawRequest => ({
  method: 'POST',
  target: '/math/num_tasks',
  headers: [['Content-Type', type]],
  body: '{"split":"train"}',
});
const withSession = (sid: string) => [['X-Session-ID', sid]] as const;

test.each<[string, number, (number: number) => RawRequest, number, bound?: number]>([
  ['Content-Types', 50, (n) => typed(`application/json; x=${n}${filler}`), 200],
  ['Content-Types of the wrong kind', 50, (n) => typed(`text/x${n}${filler}`), 400],
  // An id takes 170 bytes.
  ['ids of no session', 2_700, (n) => post('/ping', '', withSession(`${n}${'s'.repeat(120)}`)), 404, 300_000],
  ['paths that mean nothing', 50, (n) => ({ target: `/junk/${n}${filler}/more` }), 404],
  ['environments that are not there', 50, (n) => ({ target: `/e${n}${filler}/tools` }), 404],
  ['names of refused secrets', 50, (n) => post('/create', `{"secrets":{"${n}${filler}":1}}`, withSession('a')), 400],
])('frees the memory of %s', async (_name, count, make, status, bound = GROWTH_BOUND) => {
  const { math, other } = fixture();
  await using server = await serve(await hosted([math, other]), { port: 0 });
  // Loads Express before memory is measured.
  await request(server.url, { target: '/docs/' });
  const first = Math.max(100, count / 2);
  await sendAll(server.url, 0, first, make, status);

  const growthBytes = await growth((round) => sendAll(server.url, first + round * count, count, make, status));

  expect(growthBytes).toBeLessThan(bound);
  expect(server.sessionCount).toBe(0);
});

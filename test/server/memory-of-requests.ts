/** Prints by how many bytes requests of each kind enlarge the heap of this process. */
import { serve } from 'ors-kit/server';
import { hosted } from '../support/client.ts';
import { fixture } from '../support/environment.ts';
import { growth } from '../support/heap.ts';
import { pipeline, type RawRequest, request } from '../support/http.ts';

const AT_ONCE = 50;

/** Sends numbered requests. @throws Error for a response with another status. */
async function sendAll(url: string, from: number, count: number, make: (number: number) => RawRequest, status: number) {
  for (let first = from; first < from + count; first += AT_ONCE) {
    const requests = Array.from({ length: AT_ONCE }, (_, offset) => make(first + offset));
    const responses = await pipeline(url, requests);
    const other = responses.find((response) => response.status !== status);
    if (other || responses.length !== AT_ONCE)
      throw new Error(`${responses.length} responses: ${JSON.stringify(other)}`);
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

interface Kind {
  readonly count: number;
  readonly make: (number: number) => RawRequest;
  readonly status: number;
}

const kinds: Record<string, Kind> = {
  'Content-Types': { count: 50, make: (n) => typed(`application/json; x=${n}${filler}`), status: 200 },
  'Content-Types of the wrong kind': { count: 50, make: (n) => typed(`text/x${n}${filler}`), status: 400 },
  'ids of no session': {
    count: 2_700,
    make: (n) => post('/ping', '', withSession(`${n}${'s'.repeat(120)}`)),
    status: 404,
  },
  'paths that mean nothing': { count: 50, make: (n) => ({ target: `/junk/${n}${filler}/more` }), status: 404 },
  'environments that are not there': { count: 50, make: (n) => ({ target: `/e${n}${filler}/tools` }), status: 404 },
  'names of refused secrets': {
    count: 50,
    make: (n) => post('/create', `{"secrets":{"${n}${filler}":1}}`, withSession('a')),
    status: 400,
  },
};

const { math, other } = fixture();
await using server = await serve(await hosted([math, other]), { port: 0 });
// Loads Express before memory is measured.
await request(server.url, { target: '/docs/' });

async function measure({ count, make, status }: Kind) {
  const first = Math.max(100, count / 2);
  await sendAll(server.url, 0, first, make, status);
  const bytes = await growth((round) => sendAll(server.url, first + round * count, count, make, status));
  return { bytes, sessions: server.sessionCount };
}

const measurements: Record<string, Awaited<ReturnType<typeof measure>>> = {};
for (const [name, kind] of Object.entries(kinds)) measurements[name] = await measure(kind);
process.stdout.write(JSON.stringify(measurements));

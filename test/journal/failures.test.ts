import { Writable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { sleep } from '../../src/core/index.ts';
import { openSqlJournal } from '../../src/journal/open-journal.ts';
import { openSqlite } from '../../src/trace/store/index.ts';
import { call, create, request, start } from '../support/client.ts';
import { until } from '../support/until.ts';
import { CREATE, walk } from './servers.ts';

const REASON = 'connect ECONNREFUSED 127.0.0.1:55433, /var/lib/episodes.db';
const HIDDEN = /ECONN|127\.0\.0\.1|episodes\.db/;

const EVICT_MS = 60_000;

/** Starts a server with a journal that can fail. `log` has its lines. */
async function serve() {
  const log: string[] = [];
  const destination = new Writable({
    write(line, _encoding, done) {
      log.push(String(line));
      done();
    },
  });
  const driver = await openSqlite({ path: ':memory:' });
  let isBroken = false;
  let now = 0;
  const write: typeof driver.write = (bytes, work) =>
    isBroken ? Promise.reject(new Error(REASON)) : driver.write(bytes, work);
  const time = { databaseNow: '0', now: () => now, sleep, nextWrites: () => sleep(1) };
  const journal = await openSqlJournal({ ...driver, write }, time, {});
  const server = await start(walk(), {
    journal,
    log: pino({ level: 'warn' }, destination),
    now: () => now,
    evictAfterMs: EVICT_MS,
  });
  const sid = await create(server, CREATE);
  return {
    server,
    log,
    sid,
    /** Evicts the session. */
    async evict() {
      now += EVICT_MS;
      server.sweep();
      await until(() => server.sessionCount === 0);
      await request(server, 'POST', '/ping', { sid });
    },
    break() {
      isBroken = true;
    },
    endLease() {
      now += 20_000;
    },
    async [Symbol.asyncDispose]() {
      isBroken = false;
      await server.close();
      await journal.close();
    },
  };
}

type Served = Awaited<ReturnType<typeof serve>>;

const ask =
  (method: string, path: string, body?: unknown) =>
  ({ server, sid }: Served) =>
    request(server, method, path, { sid, ...(body !== undefined && { body }) });
const callStep = ({ server, sid }: Served, taskId?: string) =>
  call(server, sid, 'step', { by: 1 }, { mayBeCut: true, ...(taskId !== undefined && { taskId }) });

test.each<[string, (served: Served) => Promise<unknown>, (served: Served) => unknown]>([
  ['/create', ({ server }) => request(server, 'POST', '/create', { sid: 'new', body: CREATE }), () => {}],
  ['/call', (served) => callStep(served), () => {}],
  ['/call with a task_id', (served) => callStep(served, 'mine'), () => {}],
  ['/prompt', ask('GET', '/lab/prompt'), () => {}],
  ['/fork', ask('POST', '/fork', {}), () => {}],
  ['/delete', ask('POST', '/delete'), () => {}],
  ['/delete of an evicted session', ask('POST', '/delete'), (served) => served.evict()],
  ['/ping after the end of the lease', ask('POST', '/ping'), (served) => served.endLease()],
  ['/prompt of an evicted session', ask('GET', '/lab/prompt'), (served) => served.evict()],
])('hides the error of the database from clients, and logs it: %s', async (_name, send, before) => {
  await using served = await serve();
  await before(served);
  served.break();

  const response = JSON.stringify(await send(served));

  expect(response).not.toMatch(HIDDEN);
  expect(response).toMatch(/journal|"isCut":true/);
  expect(served.log.join('')).toContain(REASON);
});

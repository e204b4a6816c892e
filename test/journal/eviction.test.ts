import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineEnvironment, type Environment } from 'ors-kit';
import { openJournal } from 'ors-kit/journal';
import type { EpisodeRecorder, ServerOptions } from 'ors-kit/server';
import { deferred } from '../../src/core/index.ts';
import { openSqlite } from '../../src/trace/store/index.ts';
import { call, create, request, start } from '../support/client.ts';
import { until } from '../support/until.ts';
import { slowToResume } from './servers.ts';

interface Counted {
  count: number;
  key: string | undefined;
}

/** Counts calls, setups, restores and teardowns. */
function counting(change: object = { durability: 'replay' }, events: string[] = []): Environment {
  const definition = {
    name: 'lab',
    splits: { train: [{}] },
    setup: ({ secrets }: { readonly secrets: Readonly<Record<string, string>> }): Counted => {
      events.push('setup');
      return { count: 0, key: secrets.KEY };
    },
    teardown: () => void events.push('teardown'),
    prompt: () => 'Count.',
    tools: {
      count: {
        description: 'Counts.',
        run: ({ state }: { readonly state: Counted }) => ({ text: `${++state.count} ${state.key}` }),
      },
    },
    ...change,
  };
  return defineEnvironment(definition as never);
}

const snapshots = (events: string[] = []) => ({
  snapshot: ({ state }: { readonly state: Counted }) => ({ count: state.count }),
  restore: ({ count }: Counted): Counted => {
    events.push('restore');
    return { count, key: undefined };
  },
});

const CREATE = { split: 'train', index: 0 };
const EVICT_MS = 60_000;

describe('an idle session in a journal', () => {
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ors-eviction-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  /** Starts a server with a clock that tests move. */
  async function serve(environment: Environment, options: ServerOptions & { readonly mode?: 'sync' | 'async' } = {}) {
    const { mode = 'sync', ...others } = options;
    const location = join(folder, `${++count}.db`);
    const journal = await openJournal(location, { mode });
    let time = 0;
    const server = await start(environment, { journal, now: () => time, evictAfterMs: EVICT_MS, ...others });
    return {
      server,
      location,
      /** Moves the clock, and sweeps. */
      pass(ms: number) {
        time += ms;
        server.sweep();
      },
      async evict() {
        this.pass(EVICT_MS);
        await until(() => server.sessionCount === 0);
      },
      async [Symbol.asyncDispose]() {
        await server.close();
        await journal.close();
      },
    };
  }
  const ping = async ({ server }: { server: { url: string } }, sid: string) =>
    (await request(server, 'POST', '/ping', { sid })).status;

  it.each([
    ['replay', { durability: 'replay' }, ['setup', 'teardown', 'setup', 'teardown']],
    ['a snapshot', undefined, ['setup', 'teardown', 'restore', 'teardown']],
  ])('leaves memory, and comes back by %s with the results of its calls', async (_how, change, order) => {
    const events: string[] = [];
    await using served = await serve(counting(change ?? snapshots(events), events));
    const { server } = served;
    const sid = await create(server, CREATE);
    const first = await call(server, sid, 'count');

    await served.evict();
    const again = await call(server, sid, 'count', {}, { taskId: first.taskId });
    const next = await call(server, sid, 'count');
    await request(server, 'POST', '/delete', { sid });

    expect(again.json).toBe(first.json);
    expect(next.json).toContain('"2 undefined"');
    expect(events).toEqual(order);
  });

  it('stays in memory while it is used or a call runs', async () => {
    const { promise: gate, resolve: open } = deferred();
    let isRunning = false;
    const wait = async () => {
      isRunning = true;
      await gate;
      return { text: 'waited' };
    };
    const tools = { wait: { description: 'Waits.', run: wait } };
    await using served = await serve(counting({ durability: 'replay', tools }));
    const sid = await create(served.server, CREATE);
    const running = call(served.server, sid, 'wait');
    await until(() => isRunning);

    served.pass(10 * EVICT_MS);
    open();
    await running;
    served.pass(EVICT_MS - 1);

    expect(served.server.sessionCount).toBe(1);
    await served.evict();
  });

  it('is pinged and deleted without coming back', async () => {
    const events: string[] = [];
    await using served = await serve(counting(undefined, events), { idleTimeoutMs: 2 * EVICT_MS });
    const { server } = served;
    const sid = await create(server, CREATE);
    await call(server, sid, 'count');
    served.pass(EVICT_MS - 1);
    expect(await ping(served, sid)).toBe(200);

    served.pass(1);
    await until(() => server.sessionCount === 0);
    for (let pings = 0; pings < 3; pings++) {
      served.pass(EVICT_MS);
      expect(await ping(served, sid)).toBe(200);
    }
    const { status } = await request(server, 'POST', '/delete', { sid });

    expect(status).toBe(200);
    expect(events).toEqual(['setup', 'teardown']);
    expect(await ping(served, sid)).toBe(410);
  });

  it('expires as others do, and leaves the journal', async () => {
    await using served = await serve(counting(), { idleTimeoutMs: 2 * EVICT_MS });
    const sid = await create(served.server, CREATE);
    await call(served.server, sid, 'count');
    await served.evict();

    served.pass(EVICT_MS);

    const { status, body } = await request(served.server, 'POST', '/ping', { sid });
    expect([status, body.detail]).toEqual([410, expect.stringContaining('expired')]);
    await served.server.close();
    await using journal = await openJournal(served.location);
    expect(await journal.resume({ sid, owner: undefined })).toBeUndefined();
  });

  it('keeps its secrets, slot limits and its lifetime', async () => {
    await using served = await serve(counting(), { maxLifetimeMs: 3 * EVICT_MS, maxSessions: 1 });
    const { server } = served;
    const sid = await create(server, { ...CREATE, secrets: { KEY: 'sk-0123456' } });
    await call(server, sid, 'count');
    await served.evict();
    const other = await create(server, CREATE);
    await request(server, 'POST', '/delete', { sid: other });

    const { result } = await call(server, sid, 'count');

    expect(result.output.blocks[0].text).toMatch(/^2 sk-0123456/);
    served.pass(2 * EVICT_MS);
    expect(await ping(served, sid)).toBe(410);
  });

  it('continues its trace', async () => {
    const events: string[] = [];
    const recorder: EpisodeRecorder = {
      ready: async () => undefined,
      prompt: () => undefined,
      tools: () => undefined,
      call: ({ name }) => {
        events.push(name);
        return () => undefined;
      },
      ended: (ending) => events.push(ending),
    };
    let started = 0;
    const startEpisode = () => {
      started++;
      return recorder;
    };
    await using served = await serve(counting(), { recorder: { startEpisode } });
    const { server } = served;
    const sid = await create(server, CREATE);
    await call(server, sid, 'count');
    await served.evict();

    await call(server, sid, 'count');
    await served.evict();
    await request(server, 'POST', '/delete', { sid });

    expect(events).toEqual(['count', 'count', 'deleted']);
    expect(started).toBe(1);
  });

  it.each(['closed', 'drained'])('continues on another server after its own was %s', async (how) => {
    await using served = await serve(counting());
    const { server, location } = served;
    const sid = await create(server, CREATE);
    await call(server, sid, 'count');
    await served.evict();

    await (how === 'closed' ? server.close() : server.drain({ timeoutMs: 5_000 }));

    await using journal = await openJournal(location);
    await using other = await start(counting(), { journal });
    expect((await call(other, sid, 'count')).json).toContain('"2 undefined"');
  });

  it('leaves memory once an asynchronous journal has stored all of it', async () => {
    await using served = await serve(counting(), { mode: 'async' });
    const sid = await create(served.server, CREATE);
    await call(served.server, sid, 'count');
    await served.evict();

    expect((await call(served.server, sid, 'count')).json).toContain('"2 undefined"');
  });

  it('asks for a request again whose body arrives after the session has left', async () => {
    await using served = await serve(counting());
    const { server } = served;
    const sid = await create(server, CREATE);
    const body = JSON.stringify({ name: 'count', input: {} });
    const sent = httpRequest(`${server.url}/lab/call`, {
      method: 'POST',
      headers: { 'X-Session-ID': sid, 'Content-Type': 'application/json', 'Content-Length': body.length },
    });
    const status = new Promise((resolve) => sent.on('response', (response) => resolve(response.statusCode)));
    sent.write(body.slice(0, 5));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await served.evict();

    sent.end(body.slice(5));

    expect(await status).toBe(503);
    expect((await call(server, sid, 'count')).json).toContain('"1 undefined"');
  });

  it('is not deleted while it comes back', async () => {
    const journal = await openJournal(join(folder, `${++count}.db`));
    const { journal: slow, open, isWaiting } = slowToResume(journal);
    await using served = await serve(counting(), { journal: slow });
    const sid = await create(served.server, CREATE);
    await served.evict();
    const coming = call(served.server, sid, 'count');
    await until(isWaiting);

    const deleted = request(served.server, 'POST', '/delete', { sid });
    await new Promise((resolve) => setTimeout(resolve, 50));
    open();

    await coming.catch(() => undefined);
    expect((await deleted).status).toBe(200);
    expect(await ping(served, sid)).toBe(410);
    await journal.close();
  });

  it('is unknown once another server has deleted it', async () => {
    await using served = await serve(counting());
    const sid = await create(served.server, CREATE);
    await served.evict();
    const driver = await openSqlite({ path: served.location });
    await driver.write(1, (transaction) => transaction.query('DELETE FROM journal_episodes'));
    await driver.close();

    await expect(call(served.server, sid, 'count')).rejects.toThrow('404');
    expect(await ping(served, sid)).toBe(404);
  });

  /** A teardown that waits for `open`, and the events of an environment that has it. */
  function heldTeardown() {
    const { promise: gate, resolve: open } = deferred();
    const events: string[] = [];
    const teardown = async () => {
      await gate;
      events.push('teardown');
    };
    return { events, teardown, open };
  }

  it('comes back although an earlier session had its id', async () => {
    await using served = await serve(counting());
    const { server } = served;
    const sid = await create(server, CREATE);
    await request(server, 'POST', '/delete', { sid });
    await create(server, CREATE, sid);
    await served.evict();

    expect((await call(server, sid, 'count')).json).toContain('"1 undefined"');
  });

  it('waits for its teardown before it comes back', async () => {
    const { events, teardown, open } = heldTeardown();
    await using served = await serve(counting({ durability: 'replay', teardown }, events));
    const sid = await create(served.server, CREATE);
    await served.evict();

    const next = call(served.server, sid, 'count');
    await new Promise((resolve) => setTimeout(resolve, 50));
    open();

    expect((await next).json).toContain('"1 undefined"');
    expect(events).toEqual(['setup', 'teardown', 'setup']);
  });

  it('waits for its teardown before it comes back on another server', async () => {
    const { events, teardown, open } = heldTeardown();
    await using served = await serve(counting({ durability: 'replay', teardown }, events));
    await using journal = await openJournal(served.location);
    await using other = await start(counting({ durability: 'replay' }, events), { journal });
    const sid = await create(served.server, CREATE);
    await served.evict();

    const next = call(other, sid, 'count');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    open();

    expect((await next).json).toContain('"1 undefined"');
    expect(events.slice(0, 3)).toEqual(['setup', 'teardown', 'setup']);
  });
});

import { request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { OrsClient } from 'ors-kit/client';
import { openJournal } from 'ors-kit/journal';
import { deferred, sleep } from '../../src/core/index.ts';
import { call, create, request, start } from '../support/client.ts';
import { until } from '../support/until.ts';
import {
  CREATE,
  drainBesideCall,
  heldWalk,
  type JournalDatabase,
  livePair,
  pair,
  slowToResume,
  textOf,
  twoJournals,
  walk,
  withLeases,
} from './servers.ts';

/** Sends a call of a proxy that cannot repeat it, and its body later than idle sessions are handed over. */
async function callSlowly({ url }: { readonly url: string }, sid: string, call: object) {
  const body = JSON.stringify(call);
  const headers = { 'X-Session-ID': sid, 'X-Handed-Over': 'continue', 'Content-Type': 'application/json' };
  const sent = httpRequest(`${url}/lab/call`, {
    method: 'POST',
    headers: { ...headers, 'Content-Length': body.length },
  });
  const status = new Promise((resolve, reject) => {
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
  });
  sent.write(body.slice(0, 5));
  await delay(500);
  sent.end(body.slice(5));
  return status;
}

/** Tests what happens if servers, requests and failures of this database meet. */
export function testRaces(tested: JournalDatabase): void {
  const database = withLeases(tested);

  it('does not delete an episode that another server has taken over', async () => {
    await using servers = await livePair(database);
    const { one, two } = servers;
    const sid = await create(one, CREATE);
    await servers.expireLeases();
    await call(two, sid, 'step', { by: 1 });

    const { status, headers } = await request(one, 'POST', '/delete', { sid });

    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
    expect(JSON.parse(textOf(await call(two, sid, 'step', { by: 1 }))).at).toBe(5);
  });

  it('keeps an episode whose journal fails for a while, and runs no call that is not stored', async () => {
    const location = await database.newLocation();
    await using journal = await openJournal(location);
    await using server = await start(walk(), { journal });
    const sid = await create(server, CREATE);
    await call(server, sid, 'step', { by: 1 });
    await database.run(location, 'ALTER TABLE journal_calls RENAME TO lost_calls');

    const failed = await call(server, sid, 'step', { by: 1 });
    await until(() => server.sessionCount === 0);
    const meanwhile = await request(server, 'POST', '/ping', { sid });
    await database.run(location, 'ALTER TABLE lost_calls RENAME TO journal_calls');

    expect(failed.error).toContain('its journal failed');
    expect(meanwhile.status).toBe(503);
    expect(JSON.parse(textOf(await call(server, sid, 'step', { by: 1 }))).at).toBe(5);
  });

  it('leaves an episode that is being created to its server', async () => {
    const { promise: gate, resolve: open } = deferred();
    let isSought = false;
    const getTask = async () => {
      isSought = true;
      await gate;
      return { start: 3 };
    };
    const environment = walk({ getTask });
    await using journal = await openJournal(await database.newLocation());
    await using server = await start(environment, { journal });
    const created = create(server, CREATE, 'early');
    await until(() => isSought);

    const { status } = await request(server, 'POST', '/ping', { sid: 'early' });
    open();
    await created;

    expect(status).toBe(404);
    expect(JSON.parse(textOf(await call(server, 'early', 'step', { by: 1 }))).at).toBe(4);
  });

  it('finds a session that was created while another request was looking for it', async () => {
    await using journals = await twoJournals(await database.newLocation());
    await using one = await start(walk(), { journal: journals.one });
    const { journal: slow, open, isWaiting } = slowToResume(journals.two);
    await using two = await start(walk(), { journal: slow });
    const early = request(two, 'POST', '/ping', { sid: 'same' });
    await until(isWaiting);
    await create(one, CREATE, 'same');

    const later = request(two, 'POST', '/ping', { sid: 'same' });
    await request(two, 'GET', '/health');
    open();

    expect([(await early).status, (await later).status]).toEqual([404, 200]);
  });

  it('leaves an episode in the journal that comes back while its server closes', async () => {
    const location = await database.newLocation();
    await using journals = await twoJournals(location);
    await using one = await start(walk(), { journal: journals.one });
    const { journal: slow, open, isWaiting } = slowToResume(journals.two);
    const two = await start(walk(), { journal: slow });
    const sid = await create(one, CREATE);
    await database.expireLeases(location);
    const late = request(two, 'POST', '/ping', { sid });
    await until(isWaiting);

    const closed = two.close();
    open();

    expect((await late).status).toBe(503);
    await closed;
    await database.expireLeases(location);
    await using three = await openJournal(location);
    await using server = await start(walk(), { journal: three });
    expect(JSON.parse(textOf(await call(server, sid, 'step', { by: 1 }))).at).toBe(4);
  });

  it('replays calls in the order in which they ran, whichever waited for which', async () => {
    const { promise: gate, resolve: open } = deferred();
    let waiting = 0;
    const changing = walk({ gate, onWait: () => waiting++ });
    await using servers = await pair(database, changing);
    const sid = await create(servers.one, CREATE);
    const sent: Promise<unknown>[] = [call(servers.one, sid, 'wait')];
    await until(() => waiting === 1);
    const calls = [['step', { by: 1 }], ['look'], ['step', { by: 1 }]] as const;
    for (const [index, [tool, input]] of calls.entries()) {
      sent.push(call(servers.one, sid, tool, input, { taskId: `call-${index}` }));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    open();
    await Promise.all(sent);
    await servers.kill();

    expect(JSON.parse(textOf(await call(servers.two, sid, 'step', { by: 1 }))).at).toBe(6);
  });

  it('issues ids of calls that the server before cannot have issued', async () => {
    await using servers = await pair(database, walk());
    const sid = await create(servers.one, CREATE);
    const first = await call(servers.one, sid, 'step', { by: 1 });
    await servers.kill();

    const second = await call(servers.two, sid, 'step', { by: 1 });
    const again = await call(servers.two, sid, 'step', { by: 1 }, { taskId: first.taskId });

    expect(again.json).toBe(first.json);
    expect(second.taskId.slice(0, 16)).not.toBe(first.taskId.slice(0, 16));
  });

  it('restores the newest state, although an earlier snapshot took longer', async () => {
    const { promise: gate, resolve: open } = deferred();
    let snapshots = 0;
    const run = ({ state }: { readonly state: { count: number } }) => ({ text: String(++state.count) });
    const environment = defineEnvironment({
      name: 'lab',
      splits: { train: [{}] },
      setup: () => ({ count: 0 }),
      async snapshot({ state }) {
        const { count } = state;
        if (snapshots++ === 0) await gate;
        return { count };
      },
      restore: (saved: { count: number }) => saved,
      prompt: () => 'Count.',
      tools: { count: { description: 'Counts.', run }, also: { description: 'Counts too.', run } },
    });
    await using servers = await pair(database, environment);
    const sid = await create(servers.one, CREATE);
    const first = call(servers.one, sid, 'count');
    await until(() => snapshots === 1);
    const second = call(servers.one, sid, 'also');
    await new Promise((resolve) => setTimeout(resolve, 50));
    open();
    await Promise.all([first, second]);
    await servers.kill();

    expect(textOf(await call(servers.two, sid, 'count'))).toBe('3');
  });

  it('stores no snapshot of an episode that was torn down meanwhile', async () => {
    const { promise: gate, resolve: open } = deferred();
    let snapshots = 0;
    const environment = defineEnvironment({
      name: 'lab',
      splits: { train: [{}] },
      setup: () => ({ lines: ['first'] }),
      async snapshot({ state }) {
        if (++snapshots === 2) await gate;
        return state.lines;
      },
      restore: (lines: string[]) => ({ lines }),
      async teardown({ state }) {
        state.lines.splice(0);
        open();
        await sleep(200);
      },
      prompt: () => 'Write.',
      tools: {
        write: {
          description: 'Writes a line.',
          run: ({ state }) => {
            state.lines.push('next');
            return { text: state.lines.join() };
          },
        },
      },
    });
    await using servers = await livePair(database, environment, {}, environment);
    const { one, two } = servers;
    const sid = await create(one, CREATE);
    await call(one, sid, 'write');
    const cut = call(one, sid, 'write', {}, { mayBeCut: true });
    await until(() => snapshots === 2);

    await one.close();
    await cut;

    expect(textOf(await call(two, sid, 'write'))).toMatch(/^first,next,next/);
  });

  it('serves proxies of a draining server: marks what they can send elsewhere, and continues other sessions', async () => {
    const location = await database.newLocation();
    await using journals = await twoJournals(location);
    const { promise: gate, resolve: open } = deferred();
    let waiting = 0;
    const environment = walk({ gate, onWait: () => waiting++ });
    await using one = await start(environment, { journal: journals.one, nodeTag: '0a01' });
    await using two = await start(environment, { journal: journals.two });
    const { idle, running, drained } = await drainBesideCall(one, () => waiting === 1);

    const marked = await request(one, 'POST', '/ping', { sid: idle, headers: { 'X-Handed-Over': '425' } });
    const continued = await callSlowly(one, idle, { name: 'step', input: { by: 2 } });
    await until(() => one.sessionCount === 1);
    const elsewhere = await call(two, idle, 'look');
    open();

    expect([marked.status, marked.headers.get('X-Handed-Over')]).toEqual([425, '0a01']);
    expect(continued).toBe(200);
    expect(JSON.parse(textOf(elsewhere)).at).toBe(5);
    expect(textOf(await running)).toBe('waited');
    await drained;
  });

  it.each(['closed', 'drained'])('continues an episode whose server was %s during a call', async (how) => {
    const { environment, open, waitsFor } = heldWalk();
    await using servers = await livePair(database, environment, { deleteGraceMs: 50, deleteWaitMs: 100 });
    const { one, two } = servers;
    const sid = await create(one, CREATE);
    await call(one, sid, 'step', { by: 1 });
    const calls = [
      call(one, sid, 'wait', {}, { mayBeCut: true }),
      call(one, sid, 'wait', {}, { mayBeCut: true, taskId: 'wait-1' }),
      call(one, sid, 'retry', {}, { mayBeCut: true }),
    ];
    await waitsFor(3);

    await (how === 'closed' ? one.close() : one.drain({ timeoutMs: 100 }));

    const [issued, chosen, retried] = await Promise.all(calls);
    open();
    for (const cut of [issued, chosen, retried]) {
      expect([cut?.isCut, cut?.events]).toEqual([true, [{ event: 'task_id', data: cut?.taskId, id: undefined }]]);
    }
    expect(chosen?.taskId).toBe('wait-1');
    for (const taskId of [issued?.taskId ?? '', 'wait-1']) {
      expect((await call(two, sid, 'wait', {}, { taskId })).json).toContain('interrupted');
    }
    expect(textOf(await call(two, sid, 'retry', {}, { taskId: retried?.taskId ?? '' }))).toBe('waited');
    expect(JSON.parse(textOf(await call(two, sid, 'step', { by: 1 }))).at).toBe(5);
  });

  it('continues a call of the client at the next server, which runs it once more if its tool is idempotent', async () => {
    const { environment, open, waitsFor } = heldWalk();
    await using servers = await livePair(database, environment, { deleteWaitMs: 100 });
    const { one, two } = servers;
    let current = one;
    const proxy = (url: string | URL | Request, init?: RequestInit) =>
      fetch(String(url).replace(one.url, current.url), init);
    await using client = new OrsClient(one.url, { fetch: proxy as typeof fetch });
    await using session = await client.environment('lab').session({ split: 'train', index: 0 });
    const calls = [session.call('retry'), session.call('wait')];
    const settled = Promise.allSettled(calls);
    await waitsFor(2);

    current = two;
    await one.close();
    open();

    expect(await settled).toMatchObject([
      { status: 'fulfilled', value: { text: 'waited', repeated: false } },
      { status: 'rejected', reason: { name: 'ToolCallError', reason: 'interrupted' } },
    ]);
    expect(JSON.parse((await session.call('step', { by: 1 })).text).at).toBe(4);
  });

  it('cuts the stream of a call whose server has lost the episode, unless the call has not reached the journal', async () => {
    const { environment, open, waitsFor } = heldWalk();
    await using servers = await livePair(database, environment);
    const { one, two } = servers;
    const sid = await create(one, CREATE);
    const stored = call(one, sid, 'wait', {}, { mayBeCut: true });
    await waitsFor(1);
    await servers.expireLeases();
    await call(two, sid, 'step', { by: 1 });

    const chosen = await call(one, sid, 'step', { by: 1 }, { mayBeCut: true, taskId: 'step-1' });
    open();

    expect([(await stored).isCut, chosen.isCut]).toEqual([true, true]);
    expect((await call(two, sid, 'wait', {}, { taskId: (await stored).taskId })).json).toContain('interrupted');
    expect(JSON.parse(textOf(await call(two, sid, 'step', { by: 1 }, { taskId: 'step-1' }))).at).toBe(5);
  });

  it.each(['closed', 'drained'])(
    'asks requests that wait for setup to be repeated when a server is %s',
    async (how) => {
      const { promise: gate, resolve: open } = deferred();
      let isSettingUp = false;
      const environment = defineEnvironment({
        name: 'lab',
        durability: 'replay',
        splits: { train: [{}] },
        setup: async () => {
          isSettingUp = true;
          await gate;
        },
        prompt: () => 'Wait.',
        tools: { look: { description: 'Looks.', run: () => ({ text: 'seen' }) } },
      });
      const location = await database.newLocation();
      await using journals = await twoJournals(location);
      await using one = await start(environment, { journal: journals.one, deleteGraceMs: 50, deleteWaitMs: 100 });
      const sid = await create(one, CREATE);
      await until(() => isSettingUp);
      const body = { name: 'look', input: {} };
      const waiting = [request(one, 'GET', '/lab/prompt', { sid }), request(one, 'POST', '/lab/call', { sid, body })];
      await new Promise((resolve) => setTimeout(resolve, 50));

      await (how === 'closed' ? one.close() : one.drain({ timeoutMs: 100 }));
      open();

      for (const { status, headers } of await Promise.all(waiting)) {
        expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
      }
    },
  );
}

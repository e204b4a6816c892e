import { expect, it } from '@jest/globals';
import { defineEnvironment, type Environment } from 'ors-kit';
import { openJournal } from 'ors-kit/journal';
import type { Journal } from 'ors-kit/server';
import { sleep } from '../../src/core/index.ts';
import { call, create, request, start } from '../support/client.ts';
import { until } from '../support/until.ts';
import { CREATE, type JournalDatabase, pair, textOf, walk, withLeases } from './servers.ts';

/** Tests what happens if an episode of this database cannot come back at once, or is interrupted again. */
export function testReturns(tested: JournalDatabase): void {
  const database = withLeases(tested);

  it('repeats an interrupted call once: what ends each server that runs it would end all of them', async () => {
    const location = await database.newLocation();
    const gate = new Promise<void>(() => {});
    let began = 0;
    const serveNext = async (sid?: string) => {
      const journal = await openJournal(location);
      const server = await start(walk({ gate, onWait: () => began++ }), { journal });
      if (sid !== undefined) await request(server, 'POST', '/ping', { sid });
      return { server, journal };
    };
    const kill = async ({ journal }: { readonly journal: Journal }) => {
      await journal.close();
      await database.expireLeases(location);
    };
    const one = await serveNext();
    const sid = await create(one.server, CREATE);
    void call(one.server, sid, 'retry', {}, { taskId: 'retry-1' }).catch(() => undefined);
    await until(() => began === 1);
    await kill(one);
    const two = await serveNext(sid);
    await until(() => began === 2);
    await kill(two);
    const three = await serveNext(sid);

    const { json } = await call(three.server, sid, 'retry', {}, { taskId: 'retry-1' });

    expect([began, JSON.parse(json).reason]).toEqual([2, 'interrupted']);
    await Promise.all([one, two, three].map(({ server }) => server.close()));
    await three.journal.close();
  });

  it('runs a repeated call before later calls', async () => {
    let puts = 0;
    const environment = defineEnvironment({
      name: 'lab',
      durability: 'replay',
      splits: { train: [{}] },
      setup: (): { tools: string[] } => ({ tools: [] }),
      prompt: () => 'Put.',
      tools: {
        put: {
          description: 'Puts, or waits forever at first.',
          idempotent: true,
          run: async ({ state }) => {
            if (++puts === 1) await new Promise(() => {});
            return { text: String(state.tools.push('put')) };
          },
        },
        add: { description: 'Adds.', run: ({ state }) => ({ text: state.tools.join(' ') }) },
      },
    });
    await using servers = await pair(database, environment);
    const sid = await create(servers.one, CREATE);
    void call(servers.one, sid, 'put').catch(() => undefined);
    await until(() => puts === 1);
    await servers.kill();
    await using journal = await openJournal(servers.location, { mode: 'async' });
    const resume = journal.resume.bind(journal);
    journal.resume = async (key) => {
      const resumed = await resume(key);
      const repeat = resumed?.journal.repeat.bind(resumed.journal);
      if (resumed && repeat) resumed.journal.repeat = (repeated) => sleep(300).then(() => repeat(repeated));
      return resumed;
    };
    await using server = await start(environment, { journal });
    await request(server, 'POST', '/ping', { sid });

    expect(textOf(await call(server, sid, 'add'))).toBe('put');
  });

  it.each(['setup', 'restore'])('keeps an episode whose %s fails for a while, and says why', async (hook) => {
    let problem: string | undefined;
    const state = () => {
      if (problem !== undefined) throw new Error(problem);
      return { count: 0 };
    };
    const environment = defineEnvironment({
      name: 'lab',
      splits: { train: [{}] },
      setup: state,
      snapshot: (context) => context.state,
      restore: (saved: { count: number }) => ({ ...state(), ...saved }),
      prompt: () => 'Count.',
      tools: { count: { description: 'Counts.', run: (context) => ({ text: String(++context.state.count) }) } },
    });
    const replayed: Environment = { ...environment, durability: 'replay' };
    await using servers = await pair(database, hook === 'setup' ? replayed : environment);
    const { two } = servers;
    const sid = await create(servers.one, CREATE);
    await call(servers.one, sid, 'count');
    await servers.kill();
    problem = 'the database of tasks is down';

    const { status, headers, body } = await request(two, 'POST', '/ping', { sid });
    problem = undefined;

    expect([status, headers.get('retry-after'), body.detail]).toEqual([
      503,
      expect.any(String),
      expect.stringContaining('could not be continued: Error: the database of tasks is down'),
    ]);
    expect(textOf(await call(two, sid, 'count'))).toBe('2');
  });

  it('keeps an episode for servers with the version of its environment', async () => {
    const location = await database.newLocation();
    const serveVersion = async (version: string) => {
      const journal = await openJournal(location);
      const server = await start({ ...walk(), version }, { journal });
      return { server, journal, [Symbol.asyncDispose]: () => server.close().then(() => journal.close()) };
    };
    let sid: string;
    {
      await using one = await serveVersion('1');
      sid = await create(one.server, CREATE);
      await call(one.server, sid, 'step', { by: 1 });
    }
    {
      await using two = await serveVersion('2');
      const { status, body } = await request(two.server, 'POST', '/ping', { sid });
      expect([status, body.detail]).toEqual([503, expect.stringMatching(/version 1 of 'lab', and this server has 2/)]);
      // A proxy can ask another server.
      const headers = { 'X-Handed-Over': '425' };
      expect((await request(two.server, 'POST', '/ping', { sid, headers })).status).toBe(425);
    }
    await using three = await serveVersion('1');

    expect(JSON.parse(textOf(await call(three.server, sid, 'step', { by: 1 }))).at).toBe(5);
  });
}

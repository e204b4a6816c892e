import { expect, it } from '@jest/globals';
import { defineEnvironment, type Environment } from 'ors-kit';
import { openJournal } from 'ors-kit/journal';
import type { ServerOptions } from 'ors-kit/server';
import { deferred } from '../../src/core/index.ts';
import { forkedSessionId } from '../../src/server/sessions/session-id.ts';
import { type Answer, call, create, request, start } from '../support/client.ts';
import { until } from '../support/until.ts';
import { CREATE, type JournalDatabase, pair, textOf, twoJournals, walk, withLeases } from './servers.ts';

type Server = { readonly url: string };

const requestFork = (server: Server, sid: string, body: object = {}, headers: Record<string, string> = {}) =>
  request(server, 'POST', '/fork', { sid, body, headers });

async function fork(server: Server, sid: string, at?: string): Promise<string> {
  const { status, headers, body } = await requestFork(server, sid, at === undefined ? {} : { at });
  expect([status, headers.get('X-Session-ID')]).toEqual([200, body.sid]);
  return body.sid;
}

const positionOf = (answer: Parameters<typeof textOf>[0]): number => JSON.parse(textOf(answer)).at;
const secretsHeader = (secrets: object) => ({ 'X-Secrets': Buffer.from(JSON.stringify(secrets)).toString('base64') });
const refusal = ({ status, body }: Answer): [number, string] => [status, body.detail];

/** An environment with snapshots, one of whose tools waits before it counts. */
function counter(gate: Promise<void> = Promise.resolve()): Environment & { readonly setups: () => number } {
  let setups = 0;
  const environment = defineEnvironment({
    name: 'lab',
    splits: { train: [{}] },
    setup: () => {
      setups++;
      return { count: 0 };
    },
    snapshot: ({ state }) => state,
    restore: (saved: { count: number }) => saved,
    prompt: () => 'Count.',
    tools: {
      count: { description: 'Counts.', run: ({ state }) => ({ text: String(++state.count), reward: state.count }) },
      slow: {
        description: 'Counts later.',
        run: async ({ state }) => {
          await gate;
          state.count += 10;
          return { text: String(state.count) };
        },
      },
      finish: { description: 'Finishes.', run: () => ({ text: 'done', reward: 1, finished: true }) },
    },
  });
  return Object.assign(environment, { setups: () => setups });
}

/** Tests forks on a server with a journal in this database. */
export function testForks(tested: JournalDatabase): void {
  const database = withLeases(tested);

  async function serveOne(environment: Environment, options: ServerOptions = {}, mode?: 'async') {
    const location = await database.newLocation();
    const journal = await openJournal(location, { mode: mode ?? 'sync' });
    const server = await start(environment, { journal, ...options });
    return {
      url: server.url,
      server,
      location,
      async [Symbol.asyncDispose]() {
        await server.close();
        await journal.close();
      },
    };
  }
  const countOf = async (location: string, table: string) => {
    const text = JSON.stringify(await database.run(location, `SELECT count(*) AS n FROM ${table}`));
    return Number(/\d+/.exec(text)?.[0]);
  };

  it('forks a session, which then diverges from it', async () => {
    await using one = await serveOne(walk());
    const parent = await create(one, CREATE);
    const first = await call(one, parent, 'step', { by: 1 });

    const branch = await fork(one, parent);
    const [left, right] = await Promise.all([
      call(one, parent, 'step', { by: 10 }),
      call(one, branch, 'step', { by: 100 }),
    ]);

    expect(JSON.parse(textOf(left))).toEqual({ ...JSON.parse(textOf(first)), at: 14 });
    expect(JSON.parse(textOf(right))).toEqual({ ...JSON.parse(textOf(first)), at: 104 });
    expect([left.result.output.reward, right.result.output.reward]).toEqual([10, 100]);
    expect((await request(one, 'POST', '/delete', { sid: branch })).status).toBe(200);
    expect(positionOf(await call(one, parent, 'step', { by: 1 }))).toBe(15);
  });

  it('forks at an earlier call, and forks that fork at an even earlier one', async () => {
    await using one = await serveOne(walk());
    const parent = await create(one, CREATE);
    const calls = [];
    for (const by of [1, 2, 3]) calls.push(await call(one, parent, 'step', { by }));

    const branch = await fork(one, parent, calls[1]?.taskId);
    const again = await call(one, branch, 'step', { by: 2 }, { taskId: calls[1]?.taskId ?? '' });
    const next = await call(one, branch, 'step', { by: 5 });
    const twig = await fork(one, branch, calls[0]?.taskId);

    expect(again.json).toBe(calls[1]?.json);
    expect(positionOf(next)).toBe(11);
    expect(positionOf(await call(one, twig, 'step', { by: 5 }))).toBe(9);
    expect(positionOf(await call(one, await fork(one, branch, next.taskId), 'step', { by: 5 }))).toBe(16);
    expect(positionOf(await call(one, parent, 'step', { by: 5 }))).toBe(14);
  });

  it('uses the random numbers of the next calls of the parent for those of a fork', async () => {
    await using one = await serveOne(walk());
    const parent = await create(one, CREATE);
    await call(one, parent, 'draw');
    const branch = await fork(one, parent);

    const drawn = await Promise.all([parent, branch].map(async (sid) => textOf(await call(one, sid, 'draw'))));

    const [left, right] = drawn.map((text) => JSON.parse(text).slice(0, 2));
    expect(left).toEqual(right);
  });

  it('forks a finished session at an earlier call', async () => {
    await using one = await serveOne(walk());
    const parent = await create(one, CREATE);
    const { taskId } = await call(one, parent, 'step', { by: 1 });
    await call(one, parent, 'finish');

    const branch = await fork(one, parent, taskId);

    expect(positionOf(await call(one, branch, 'step', { by: 1 }))).toBe(5);
    expect((await call(one, branch, 'finish')).result.output).toMatchObject({ reward: 1, finished: true });
    expect((await call(one, await fork(one, parent), 'finish')).result.reason).toBe('episode_finished');
  });

  it('waits for running calls, unless the fork is at an earlier one', async () => {
    const { promise: gate, resolve: open } = deferred();
    let waiting = 0;
    await using one = await serveOne(walk({ gate, onWait: () => waiting++ }));
    const parent = await create(one, CREATE);
    const { taskId } = await call(one, parent, 'step', { by: 1 });
    const running = call(one, parent, 'wait', {}, { taskId: 'wait-1' });
    await until(() => waiting === 1);

    const early = await fork(one, parent, taskId);
    const [status, detail] = refusal(await requestFork(one, parent, { at: 'wait-1' }));
    let isForked = false;
    const late = fork(one, parent).finally(() => {
      isForked = true;
    });
    expect(positionOf(await call(one, early, 'step', { by: 1 }))).toBe(5);
    expect([status, detail]).toEqual([400, expect.stringContaining("'wait-1'")]);
    expect(isForked).toBe(false);
    open();
    await running;

    const known = await call(one, await late, 'wait', {}, { taskId: 'wait-1' });
    expect(known.json).toBe((await running).json);
    // The early fork has no such call, so the id is free there.
    expect(textOf(await call(one, early, 'wait', {}, { taskId: 'wait-1' }))).toBe('waited');
    expect(waiting).toBe(3);
  });

  it('returns the same fork for the same task_id, also at the same time and on another server', async () => {
    await using servers = await pair(database, walk());
    const { one, two } = servers;
    const parent = await create(one, CREATE);
    const { taskId: at } = await call(one, parent, 'step', { by: 1 });
    const body = { at, task_id: 'fork-1' };

    const first = await Promise.all([requestFork(one, parent, body), requestFork(one, parent, body)]);
    const [sid, ...others] = [...new Set(first.map((each) => each.body.sid))];
    await call(one, sid, 'step', { by: 10 });
    await servers.kill();
    const repeated = await requestFork(two, parent, body);

    expect(first.map(({ status }) => status)).toEqual([200, 200]);
    expect([others, repeated.body.sid]).toEqual([[], sid]);
    expect(positionOf(await call(two, sid, 'step', { by: 1 }))).toBe(15);
    expect((await requestFork(two, parent, { ...body, task_id: 'fork-2' })).body.sid).not.toBe(sid);
  });

  it('rejects the task_id of a fork at another call, also on another server', async () => {
    const { promise: gate, resolve: open } = deferred();
    let waiting = 0;
    await using servers = await pair(database, walk({ gate, onWait: () => waiting++ }));
    const { one, two } = servers;
    const parent = await create(one, CREATE);
    const { taskId: at } = await call(one, parent, 'step', { by: 1 });
    const running = call(one, parent, 'wait');
    await until(() => waiting === 1);
    const pending = requestFork(one, parent, { task_id: 'fork-1' });
    await new Promise((resolve) => setTimeout(resolve, 50));

    const meanwhile = await requestFork(one, parent, { at, task_id: 'fork-1' });
    open();
    await running;
    const { sid } = (await pending).body;
    const afterwards = await requestFork(one, parent, { at, task_id: 'fork-1' });
    await servers.kill();
    const there = await requestFork(two, parent, { at, task_id: 'fork-1' });

    const isUsed = [400, expect.stringContaining('task_id already used')];
    expect([meanwhile, afterwards, there].map(refusal)).toEqual([isUsed, isUsed, isUsed]);
    expect((await requestFork(two, parent, { task_id: 'fork-1' })).body.sid).toBe(sid);
    await request(two, 'POST', '/delete', { sid });
    expect((await requestFork(two, parent, { at, task_id: 'fork-1' })).status).toBe(200);
  });

  it('lets calls of a fork wait until its state is there', async () => {
    const { promise: gate, resolve: open } = deferred();
    let steps = 0;
    const environment = defineEnvironment({
      name: 'lab',
      durability: 'replay',
      splits: { train: [{}] },
      setup: () => ({ at: 0 }),
      prompt: () => 'Walk.',
      tools: {
        step: {
          description: 'Walks.',
          run: async ({ state }) => {
            if (++steps > 1) await gate;
            return { text: String(++state.at) };
          },
        },
        look: { description: 'Looks.', run: ({ state }) => ({ text: String(state.at) }) },
      },
    });
    await using one = await serveOne(environment);
    const parent = await create(one, CREATE);
    await call(one, parent, 'step');
    const pending = requestFork(one, parent, { task_id: 'fork-1' });
    await until(() => steps === 2);

    const early = call(one, forkedSessionId(parent, 'fork-1'), 'look');
    await new Promise((resolve) => setTimeout(resolve, 100));
    open();

    expect(textOf(await early)).toBe('1');
    expect((await pending).status).toBe(200);
  });

  it('continues a fork on another server after the first one was killed', async () => {
    await using servers = await pair(database, walk());
    const parent = await create(servers.one, CREATE);
    const { taskId } = await call(servers.one, parent, 'step', { by: 1 });
    await call(servers.one, parent, 'step', { by: 2 });
    const branch = await fork(servers.one, parent, taskId);
    await call(servers.one, branch, 'step', { by: 10 });
    await servers.kill();

    expect(positionOf(await call(servers.two, branch, 'step', { by: 1 }))).toBe(15);
    // The parent comes back too, by the request for its fork.
    expect(positionOf(await call(servers.two, await fork(servers.two, parent), 'step', { by: 1 }))).toBe(7);
  });

  it('restores the snapshot of the call, without setup', async () => {
    const environment = counter();
    await using one = await serveOne(environment);
    const parent = await create(one, CREATE);
    const calls = [];
    for (let count = 0; count < 3; count++) calls.push(await call(one, parent, 'count'));

    const branch = await fork(one, parent, calls[1]?.taskId);
    const now = await fork(one, parent);

    const outputs = await Promise.all([branch, now, parent].map((sid) => call(one, sid, 'count')));
    expect(outputs.map(textOf)).toEqual(['3', '4', '4']);
    expect(outputs.map(({ result }) => result.output.reward)).toEqual([3, 4, 4]);
    const twig = await fork(one, branch, calls[0]?.taskId);
    expect(await countOf(one.location, 'journal_snapshots')).toBe(6);
    await request(one, 'POST', '/delete', { sid: parent });
    expect(textOf(await call(one, twig, 'count'))).toBe('2');
    expect(environment.setups()).toBe(1);
    for (const sid of [twig, now, branch]) await request(one, 'POST', '/delete', { sid });
    expect(await countOf(one.location, 'journal_snapshots')).toBe(0);
  });

  it('leaves out calls that were running when the call of the fork ended, although they began earlier', async () => {
    const { promise: gate, resolve: open } = deferred();
    await using one = await serveOne(counter(gate));
    const parent = await create(one, CREATE);
    const slow = call(one, parent, 'slow', {}, { taskId: 'slow-1' });
    await until(async () => (await countOf(one.location, 'journal_calls')) === 1);
    const { taskId } = await call(one, parent, 'count');
    open();
    await slow;

    const [before, after] = [await fork(one, parent, taskId), await fork(one, parent, 'slow-1')];

    expect(textOf(await call(one, before, 'count'))).toBe('2');
    expect(textOf(await call(one, after, 'count'))).toBe('12');
    expect(textOf(await call(one, parent, 'count'))).toBe('12');
  });

  it('requires the secrets of the parent again', async () => {
    await using one = await serveOne(walk());
    const parent = await create(one, { ...CREATE, secrets: { JUDGE_KEY: 'secret-123' } });
    const secrets = secretsHeader({ JUDGE_KEY: { value: 'secret-123' } });

    const without = refusal(await requestFork(one, parent));

    expect(without).toEqual([400, expect.stringContaining('JUDGE_KEY')]);
    expect(await countOf(one.location, 'journal_episodes')).toBe(1);
    expect((await requestFork(one, parent, {}, secrets)).status).toBe(200);
  });

  it('counts forks as sessions, and leaves nothing behind without a free slot', async () => {
    await using one = await serveOne(walk(), { maxSessions: 2, capacityWaitMs: 20 });
    const parent = await create(one, CREATE);
    const branch = await fork(one, parent);

    const { status, headers, body } = await requestFork(one, parent);

    expect([status, headers.get('Retry-After'), body]).toMatchObject([503, '5', { active: 2, max: 2 }]);
    expect(await countOf(one.location, 'journal_episodes')).toBe(2);
    await request(one, 'POST', '/delete', { sid: branch });
    await fork(one, parent);
  });

  it('names the call whose replay differs, and keeps the parent', async () => {
    let drift = 0;
    const environment = defineEnvironment({
      name: 'lab',
      durability: 'replay',
      splits: { train: [{}] },
      prompt: () => 'Drift.',
      tools: { step: { description: 'Drifts.', run: () => ({ text: String(drift++) }) } },
    });
    await using one = await serveOne(environment);
    const parent = await create(one, CREATE);
    await call(one, parent, 'step');

    const [status, detail] = refusal(await requestFork(one, parent));

    expect([status, detail]).toEqual([500, expect.stringContaining('call 1 (step)')]);
    expect(textOf(await call(one, parent, 'step'))).toBe('2');
    expect(one.server.sessionCount).toBe(1);
    await until(async () => (await countOf(one.location, 'journal_episodes')) === 1);
  });

  it('copies calls that an asynchronous journal has not written yet', async () => {
    await using one = await serveOne(walk(), {}, 'async');
    const parent = await create(one, CREATE);
    const { taskId } = await call(one, parent, 'step', { by: 1 });

    const branch = await fork(one, parent, taskId);

    expect(positionOf(await call(one, branch, 'step', { by: 1 }))).toBe(5);
  });

  it('refuses forks while the server drains', async () => {
    const { promise: gate, resolve: open } = deferred();
    let waiting = 0;
    await using one = await serveOne(walk({ gate, onWait: () => waiting++ }));
    const parent = await create(one, CREATE);
    const running = call(one, parent, 'wait');
    await until(() => waiting === 1);
    const drained = one.server.drain({ timeoutMs: 30_000 });

    const { status, headers, body } = await requestFork(one, parent);
    open();

    expect([status, headers.get('Retry-After'), body.detail]).toEqual([
      503,
      '5',
      expect.stringContaining('shutting down'),
    ]);
    expect(textOf(await running)).toBe('waited');
    await drained;
  });

  it('forks only sessions of the caller, and makes the fork one of the same caller', async () => {
    const authenticate = (headers: Record<string, unknown>) => String(headers['x-api-key']);
    const location = await database.newLocation();
    await using journals = await twoJournals(location);
    await using one = await start(walk(), { journal: journals.one, authenticate });
    const [ann, bob] = [{ 'X-API-Key': 'ann' }, { 'X-API-Key': 'bob' }];
    await request(one, 'POST', '/create', { sid: 'a', body: CREATE, headers: ann });

    expect((await requestFork(one, 'a', {}, bob)).status).toBe(404);
    const { sid } = (await requestFork(one, 'a', {}, ann)).body;
    expect((await request(one, 'POST', '/ping', { sid, headers: bob })).status).toBe(404);
    expect((await request(one, 'POST', '/ping', { sid, headers: ann })).status).toBe(200);
  });

  it('announces forks per environment, and responds with 404 for others', async () => {
    const { durability: _, ...plain } = { ...walk(), name: 'plain' };
    const location = await database.newLocation();
    await using journals = await twoJournals(location);
    await using one = await start([walk(), plain as Environment], { journal: journals.one });
    await using without = await start(walk());
    const sids = [await create(one, { ...CREATE, env_name: 'plain' }), await create(without, CREATE)];

    const announced = await Promise.all([
      request(one, 'GET', '/lab/tools'),
      request(one, 'GET', '/plain/tools'),
      request(without, 'GET', '/lab/tools'),
    ]);
    await using onlyPlain = await start(plain as Environment, { journal: journals.two });
    const versions = await Promise.all([one, without, onlyPlain].map((server) => request(server, 'GET', '/version')));
    const refusals = [await requestFork(one, sids[0] ?? ''), await requestFork(without, sids[1] ?? '')];

    expect(announced.map(({ body }) => body.supports_fork)).toEqual([true, false, false]);
    expect(versions.map(({ body }) => body.supports_fork)).toEqual([true, undefined, undefined]);
    expect(refusals.map(refusal)).toEqual([
      [404, expect.stringContaining("'plain'")],
      [404, expect.stringContaining('journal')],
    ]);
    expect((await requestFork(one, 'never-seen')).status).toBe(404);
  });
}

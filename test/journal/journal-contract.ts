import { expect, it } from '@jest/globals';
import { defineEnvironment, type Environment, text } from 'ors-kit';
import { openJournal } from 'ors-kit/journal';
import type { RunningServer } from 'ors-kit/server';
import { deferred } from '../../src/core/index.ts';
import { call, create, request, start } from '../support/client.ts';
import { until } from '../support/until.ts';
import {
  CREATE,
  drainBesideCall,
  heldWalk,
  type JournalDatabase,
  livePair,
  pair,
  textOf,
  twoJournals,
  walk,
  withLeases,
} from './servers.ts';

const COUNT_CALLS = 'SELECT count(*) AS n FROM journal_calls';

/** Tests what a server does with a journal in this database. */
export function testJournal(tested: JournalDatabase): void {
  const database = withLeases(tested);

  it('continues an episode on another server, with the state, random numbers and times of the first', async () => {
    await using servers = await pair(database, walk());
    const sid = await create(servers.one, CREATE);
    const first = await call(servers.one, sid, 'step', { by: 1 });
    const drawn = await call(servers.one, sid, 'draw');
    const failed = await call(servers.one, sid, 'fail');
    expect(failed.error).toContain('broken');
    await servers.kill();

    const next = await call(servers.two, sid, 'step', { by: 2 });

    expect(JSON.parse(textOf(next))).toEqual({ ...JSON.parse(textOf(first)), at: 106 });
    const again = await call(servers.two, sid, 'draw', {}, { taskId: drawn.taskId });
    expect(again.json).toBe(drawn.json);
    const other = await call(servers.two, sid, 'draw');
    expect(JSON.parse(textOf(other))[0]).not.toBe(JSON.parse(textOf(drawn))[0]);
  });

  it('lets the server that was taken over send nothing more', async () => {
    await using servers = await livePair(database);
    const { one, two } = servers;
    const sid = await create(one, CREATE);
    await call(one, sid, 'step', { by: 1 });
    await servers.expireLeases();
    await call(two, sid, 'step', { by: 1 });

    const late = await call(one, sid, 'step', { by: 1 });

    expect(late.error).toContain('another server');
    expect(JSON.parse(textOf(await call(two, sid, 'step', { by: 1 }))).at).toBe(6);
    await two.close();
    expect(JSON.parse(textOf(await call(one, sid, 'step', { by: 1 }))).at).toBe(7);
  });

  it('repeats an interrupted call only if its tool is idempotent', async () => {
    const { promise: gate, resolve: open } = deferred();
    let waiting = 0;
    await using servers = await pair(database, walk({ gate, onWait: () => waiting++ }), walk());
    const sid = await create(servers.one, CREATE);
    for (const tool of ['wait', 'retry']) {
      void call(servers.one, sid, tool, {}, { taskId: `${tool}-1` }).catch(() => undefined);
    }
    await until(() => waiting === 2);
    await servers.kill();

    const [waited, retried] = await Promise.all([
      call(servers.two, sid, 'wait', {}, { taskId: 'wait-1' }),
      call(servers.two, sid, 'retry', {}, { taskId: 'retry-1' }),
    ]);
    open();

    expect(JSON.parse(waited.json)).toMatchObject({ ok: false, reason: 'interrupted' });
    expect(textOf(retried)).toBe('waited');
  });

  it('refuses an input that JSON cannot represent also after an interruption', async () => {
    const { promise: gate, resolve: open } = deferred();
    let isWaiting = false;
    const inputs: unknown[] = [];
    const environment = defineEnvironment({
      name: 'lab',
      durability: 'replay',
      splits: { train: [{}] },
      prompt: () => 'Add.',
      tools: {
        wait: {
          description: 'Waits.',
          run: async () => {
            isWaiting = true;
            await gate;
            return { text: 'waited' };
          },
        },
        add: {
          description: 'Adds.',
          idempotent: true,
          input: { type: 'object' },
          run: ({ input }) => {
            inputs.push(input);
            return { text: 'added' };
          },
        },
      },
    });
    await using servers = await pair(database, environment);
    const { one, two } = servers;
    const sid = await create(one, CREATE);
    const body = '{"name":"add","input":{"by":9007199254740993},"task_id":"add-1"}';
    const waiting = call(one, sid, 'wait', {}, { mayBeCut: true }).catch(() => undefined);
    await until(() => isWaiting);
    const added = request(one, 'POST', '/lab/call', { sid, body }).catch(() => undefined);
    await until(async () => /2/.test(JSON.stringify(await database.run(servers.location, COUNT_CALLS))));
    await servers.kill();

    const { body: text } = await request(two, 'POST', '/lab/call', { sid, body });
    open();
    await Promise.all([waiting, added]);

    expect(text).toContain('input_validation');
    expect(inputs).toEqual([]);
  });

  it('continues an episode after a second crash, whose journal has an interrupted call', async () => {
    const { promise: gate, resolve: open } = deferred();
    const location = await database.newLocation();
    let waiting = 0;
    const serveOne = async (environment: Environment) => {
      const journal = await openJournal(location);
      return { journal, server: await start(environment, { journal }) };
    };
    const one = await serveOne(walk({ gate, onWait: () => waiting++ }));
    const sid = await create(one.server, CREATE);
    await call(one.server, sid, 'step', { by: 1 });
    void call(one.server, sid, 'wait', {}, { taskId: 'wait-1' }).catch(() => undefined);
    await until(() => waiting === 1);
    await database.expireLeases(location);
    const two = await serveOne(walk());
    await call(two.server, sid, 'step', { by: 1 });
    await database.expireLeases(location);
    const three = await serveOne(walk());

    const { json } = await call(three.server, sid, 'wait', {}, { taskId: 'wait-1' });
    const next = await call(three.server, sid, 'step', { by: 1 });
    open();

    expect(JSON.parse(json).reason).toBe('interrupted');
    expect(JSON.parse(textOf(next)).at).toBe(6);
    for (const { server, journal } of [one, two, three]) {
      await server.close();
      await journal.close();
    }
  });

  it('replays a call that was stopped by its timeout', async () => {
    await using servers = await pair(database, walk());
    const sid = await create(servers.one, CREATE);
    const stopped = await call(servers.one, sid, 'patient');
    expect(stopped.error).toContain('100 ms');
    await servers.kill();

    expect(JSON.parse(textOf(await call(servers.two, sid, 'step', { by: 1 }))).at).toBe(4);
  });

  it('replays a call whose result was too large to be sent', async () => {
    const environment = defineEnvironment({
      name: 'lab',
      durability: 'replay',
      splits: { train: [{}] },
      setup: () => ({ calls: 0 }),
      prompt: () => 'Print.',
      tools: {
        print: {
          description: 'Prints.',
          run: ({ state }) => ({ text: ++state.calls === 1 ? 'x'.repeat(5_000) : String(state.calls) }),
        },
      },
    });
    const location = await database.newLocation();
    const options = { maxResultBytes: 2_000 };
    await using one = await openJournal(location);
    await using two = await openJournal(location);
    await using first = await start(environment, { journal: one, ...options });
    await using second = await start(environment, { journal: two, ...options });
    const sid = await create(first, CREATE);
    const { result } = await call(first, sid, 'print');
    await first.close();

    expect(result).toMatchObject({ ok: false, error: expect.stringContaining('5') });
    expect(textOf(await call(second, sid, 'print'))).toBe('2');
  });

  it('asks clients of a draining server to repeat their requests, and keeps running', async () => {
    const location = await database.newLocation();
    await using journals = await twoJournals(location);
    const { promise: gate, resolve: open } = deferred();
    let waiting = 0;
    await using one = await start(walk({ gate, onWait: () => waiting++ }), { journal: journals.one });
    const { idle, running, drained } = await drainBesideCall(one, () => waiting === 1);

    const { status, headers } = await request(one, 'POST', '/ping', { sid: idle });
    open();

    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
    expect(textOf(await running)).toBe('waited');
    await drained;
  });

  it('removes episodes that no client has continued for a week', async () => {
    const location = await database.newLocation();
    const first = await openJournal(location);
    const episode = { environment: 'lab', task: CREATE, toolset: undefined, seed: 1, now: 0, secrets: [] };
    await first.create({ ...episode, sid: 'old', owner: undefined });
    await first.create({ ...episode, sid: 'new', owner: undefined });
    await first.close();
    await database.run(location, "UPDATE journal_episodes SET changed_ms = 0 WHERE sid = 'old'");

    await using journal = await openJournal(location);

    expect(await journal.resume({ sid: 'old', owner: undefined })).toBeUndefined();
    expect(await journal.resume({ sid: 'new', owner: undefined })).toBeDefined();
  });

  it('keeps a finished episode finished, and a deleted one deleted', async () => {
    await using servers = await pair(database, walk());
    const finished = await create(servers.one, CREATE);
    const deleted = await create(servers.one, CREATE);
    await call(servers.one, finished, 'finish');
    await request(servers.one, 'POST', '/delete', { sid: deleted });
    await servers.kill();

    expect((await call(servers.two, finished, 'step', { by: 1 })).result).toMatchObject({
      ok: false,
      reason: 'episode_finished',
    });
    expect((await request(servers.two, 'POST', '/ping', { sid: deleted })).status).toBe(404);
  });

  it('ends an episode whose replay gives another result, and names the call', async () => {
    await using servers = await pair(database, walk(), walk({ drift: 1 }));
    const sid = await create(servers.one, CREATE);
    await call(servers.one, sid, 'step', { by: 1 });
    await servers.kill();

    const { status, body } = await request(servers.two, 'POST', '/ping', { sid });

    expect(status).toBe(410);
    expect(body.detail).toContain('call 1 (step)');
    expect(body.detail).toContain('output.blocks[0].text differs');
  });

  it('reads the time of an episode and its calls from the clock of the server', async () => {
    const location = await database.newLocation();
    await using journal = await openJournal(location);
    await using server = await start(walk(), { journal, wallClock: () => 1_234 });
    const sid = await create(server, CREATE);

    const [, , now] = JSON.parse(textOf(await call(server, sid, 'draw')));

    expect(now).toBe(1_234);
    expect(JSON.parse(textOf(await call(server, sid, 'step', { by: 1 }))).born).toBe(1_234);
  });

  it('ends an episode whose snapshot fails, and says so', async () => {
    const failing = defineEnvironment({
      name: 'lab',
      splits: { train: [{}] },
      snapshot: () => {
        throw new Error('no space');
      },
      restore: () => undefined,
      prompt: () => 'Save.',
      tools: { save: { description: 'Saves.', run: () => ({ text: 'saved' }) } },
    });
    await using servers = await pair(database, failing);
    const sid = await create(servers.one, CREATE);

    const { error } = await call(servers.one, sid, 'save');

    expect(error).toContain('its snapshot failed: no space');
  });

  it('asks for the secrets of an episode, which it does not keep', async () => {
    await using servers = await pair(database, walk());
    const sid = await create(servers.one, { ...CREATE, secrets: { JUDGE_KEY: 'secret-123' } });
    await servers.kill();
    const ping = (headers: Record<string, string>) => request(servers.two, 'POST', '/ping', { sid, headers });

    const without = await ping({});
    const secrets = Buffer.from(JSON.stringify({ JUDGE_KEY: { value: 'secret-123' } })).toString('base64');

    expect([without.status, without.body.detail]).toEqual([400, expect.stringContaining('JUDGE_KEY')]);
    expect((await ping({ 'X-Secrets': secrets })).status).toBe(200);
  });

  it.each([
    { declared: [], status: 200 },
    { declared: ['api_key'], status: 400 },
  ])('asks for the keys that openreward adds to each session only if they are declared: $declared', async (each) => {
    await using servers = await pair(database, { ...walk(), secrets: each.declared });
    const secrets = { api_key: 'key-12345', OPENREWARD_API_KEY: '' };
    const sid = await create(servers.one, { ...CREATE, secrets });
    await servers.kill();

    const { status, body } = await request(servers.two, 'POST', '/ping', { sid });

    expect([status, body.detail ?? '']).toEqual([each.status, expect.stringMatching(/must have: api_key$|^$/)]);
  });

  it.each(['JSON', 'bytes'])('restores a snapshot instead of playing again (%s)', async (kind) => {
    let setups = 0;
    const counter = () =>
      defineEnvironment({
        name: 'lab',
        splits: { train: [{}] },
        setup: () => {
          setups++;
          return { count: 0 };
        },
        snapshot: ({ state }) => (kind === 'JSON' ? state : new Uint8Array([state.count])),
        restore: (saved: { count: number } | Uint8Array) =>
          saved instanceof Uint8Array ? { count: saved[0] ?? -1 } : saved,
        prompt: () => 'Count.',
        tools: { count: { description: 'Counts.', run: ({ state }) => ({ text: String(++state.count) }) } },
      });
    await using servers = await pair(database, counter());
    const sid = await create(servers.one, CREATE);
    for (let calls = 0; calls < 2; calls++) await call(servers.one, sid, 'count');
    await servers.kill();

    expect(textOf(await call(servers.two, sid, 'count'))).toBe('3');
    expect(setups).toBe(1);
  });

  it('returns the prompt and the conversation that the first client read, on every server and in forks', async () => {
    let reads = 0;
    const opening = () =>
      defineEnvironment({
        name: 'lab',
        durability: 'replay',
        splits: { train: [{}] },
        prompt: () => `Reading ${++reads}.`,
        messages: () => [{ role: 'system' as const, blocks: [text(`Rule ${++reads}.`)] }],
        tools: { look: { description: 'Looks.', run: () => ({ text: 'seen' }) } },
      });
    await using servers = await pair(database, opening());
    const sid = await create(servers.one, CREATE);
    const unread = await create(servers.one, CREATE);
    const read = async (server: { readonly url: string }, path: string, of = sid) => {
      const { status, body } = await request(server, 'GET', `/lab/${path}`, { sid: of });
      expect(status).toBe(200);
      return body;
    };
    const [prompt, same] = await Promise.all([read(servers.one, 'prompt'), read(servers.one, 'prompt')]);
    const messages = await read(servers.one, 'messages');
    const early = (await request(servers.one, 'POST', '/fork', { sid, body: {} })).body.sid;
    expect([reads, same, await read(servers.one, 'prompt', early)]).toEqual([2, prompt, prompt]);
    await servers.kill();

    expect(await read(servers.two, 'prompt')).toEqual(prompt);
    expect(await read(servers.two, 'messages')).toEqual(messages);
    const late = (await request(servers.two, 'POST', '/fork', { sid, body: {} })).body.sid;
    expect(await read(servers.two, 'messages', late)).toEqual(messages);
    expect(reads).toBe(2);
    expect((await read(servers.two, 'prompt', unread))[0].text).toBe('Reading 3.');
  });

  it('reads a prompt again that failed', async () => {
    let reads = 0;
    const failing = defineEnvironment({
      name: 'lab',
      durability: 'replay',
      splits: { train: [{}] },
      prompt() {
        if (++reads === 1) throw new Error('no file');
        return 'Look.';
      },
      tools: { look: { description: 'Looks.', run: () => ({ text: 'seen' }) } },
    });
    await using servers = await pair(database, failing);
    const sid = await create(servers.one, CREATE);

    const statuses = [];
    for (let read = 0; read < 3; read++) {
      statuses.push((await request(servers.one, 'GET', '/lab/prompt', { sid })).status);
    }

    expect([statuses, reads]).toEqual([[500, 200, 200], 2]);
  });

  it('sends no prompt that is not stored', async () => {
    const location = await database.newLocation();
    await using journal = await openJournal(location);
    await using server = await start(walk(), { journal });
    const sid = await create(server, CREATE);
    await database.run(location, 'ALTER TABLE journal_episodes RENAME TO lost_episodes');

    const { status, headers } = await request(server, 'GET', '/lab/prompt', { sid });

    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
    await until(() => server.sessionCount === 0);
    await database.run(location, 'ALTER TABLE lost_episodes RENAME TO journal_episodes');
    expect((await request(server, 'GET', '/lab/prompt', { sid })).body[0].text).toBe('Walk.');
  });

  it('hands idle sessions over at once when a server drains', async () => {
    await using servers = await livePair(database);
    const { one, two } = servers;
    const sid = await create(one, CREATE);
    await call(one, sid, 'step', { by: 1 });

    await one.drain({ timeoutMs: 30_000 });

    expect(JSON.parse(textOf(await call(two, sid, 'step', { by: 1 }))).at).toBe(5);
  });

  it('does not take over the episode of a server that is alive and runs a call of it', async () => {
    const { environment, open, waitsFor } = heldWalk();
    await using servers = await livePair(database, environment);
    const { one, two } = servers;
    const sid = await create(one, CREATE);
    const running = call(one, sid, 'wait');
    await waitsFor(1);

    const { status, headers } = await request(two, 'POST', '/ping', { sid });
    open();

    expect([status, headers.get('Retry-After')]).toEqual([503, '5']);
    expect(textOf(await running)).toBe('waited');
  });

  it.each(['idle', 'evicted'])('releases an %s episode whose requests arrive at another server', async (how) => {
    const location = await database.newLocation();
    await using one = await openJournal(location);
    await using two = await openJournal(location);
    const evictAfterMs = how === 'evicted' ? 1 : undefined;
    await using first = await start(walk(), { journal: one, ...(evictAfterMs !== undefined && { evictAfterMs }) });
    await using second = await start(walk(), { journal: two });
    const sid = await create(first, CREATE);
    await call(first, sid, 'step', { by: 1 });
    if (how === 'evicted') await until(() => first.sessionCount === 0);

    const there = await call(second, sid, 'step', { by: 1 });
    const back = await call(first, sid, 'step', { by: 1 });

    expect([there, back].map((result) => JSON.parse(textOf(result)).at)).toEqual([5, 6]);
    expect(second.sessionCount).toBe(0);
  });

  it('releases an episode that its server lost when the journal failed', async () => {
    const location = await database.newLocation();
    await using one = await openJournal(location);
    await using two = await openJournal(location);
    await using first = await start(walk(), { journal: one });
    await using second = await start(walk(), { journal: two });
    const sid = await create(first, CREATE);
    await database.run(location, 'ALTER TABLE journal_episodes RENAME TO lost_episodes');
    await call(first, sid, 'step', { by: 1 });
    await until(() => first.sessionCount === 0);
    await database.run(location, 'ALTER TABLE lost_episodes RENAME TO journal_episodes');

    expect(JSON.parse(textOf(await call(second, sid, 'step', { by: 1 }))).at).toBe(4);
  });

  it('is created by several servers at the same time', async () => {
    const location = await database.newLocation();

    const journals = await Promise.all(Array.from({ length: 8 }, () => openJournal(location)));

    await Promise.all(journals.map((journal) => journal.close()));
  });

  it('keeps the sessions of callers apart', async () => {
    const authenticate = (headers: Record<string, unknown>) => String(headers['x-api-key']);
    const location = await database.newLocation();
    await using journals = await twoJournals(location);
    const options = { authenticate };
    await using one: RunningServer = await start(walk(), { journal: journals.one, ...options });
    await using two: RunningServer = await start(walk(), { journal: journals.two, ...options });
    const sid = 'session-of-ann';
    const ann = { 'X-API-Key': 'ann' };
    await request(one, 'POST', '/create', { sid, body: CREATE, headers: ann });
    await database.expireLeases(location);

    expect((await request(two, 'POST', '/ping', { sid, headers: { 'X-API-Key': 'bob' } })).status).toBe(404);
    expect((await request(two, 'POST', '/ping', { sid, headers: ann })).status).toBe(200);
  });
}

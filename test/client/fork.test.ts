import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineEnvironment } from 'ors-kit';
import { type CallHandle, OrsClient } from 'ors-kit/client';
import { openJournal } from 'ors-kit/journal';
import { deferred } from '../../src/core/index.ts';
import { start } from '../support/client.ts';
import { until } from '../support/until.ts';
import { createClient, event, json, openEpisode, output, startFakeServer, stream } from './fake-server.ts';

const on = stream(event('end', output('on')));

describe('session.fork on a server with a journal', () => {
  let folder: string;
  let count = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ors-client-fork-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function serveWalk(gate: Promise<void> = Promise.resolve()) {
    const environment = defineEnvironment({
      name: 'lab',
      durability: 'replay',
      splits: { train: [{}] },
      setup: ({ secrets }) => ({ at: secrets.START?.length ?? 0 }),
      prompt: () => 'Walk.',
      tools: {
        step: {
          description: 'Walks.',
          run: async ({ state }) => {
            state.at++;
            return { text: String(state.at), reward: state.at, finished: state.at === 3 };
          },
        },
        wait: {
          description: 'Waits.',
          run: async () => {
            await gate;
            return { text: 'waited' };
          },
        },
      },
    });
    const journal = await openJournal(join(folder, `${++count}.db`));
    const server = await start(environment, { journal });
    const client = new OrsClient(server.url);
    return {
      server,
      client,
      open: (secrets = {}) => client.environment('lab').session({ split: 'train', index: 0 }, { secrets }),
      async [Symbol.asyncDispose]() {
        await client.close();
        await server.close();
        await journal.close();
      },
    };
  }

  it('returns a session that continues from now, or from an earlier call', async () => {
    await using lab = await serveWalk();
    await using session = await lab.open();
    const calls: CallHandle[] = [];
    for (let steps = 0; steps < 3; steps++) await session.call('step', {}, { onStart: (call) => calls.push(call) });

    expect(await session.supportsFork()).toBe(true);
    await using branch = await session.fork({ at: calls[0]?.task_id });
    await using twig = await branch.fork();

    expect(branch.handle).toEqual({ environment: 'lab', sid: expect.not.stringMatching(session.sid) });
    expect(await branch.prompt()).toEqual(await session.prompt());
    expect(await branch.call('step')).toMatchObject({ text: '2', reward: 2, finished: false });
    expect(await branch.call('step')).toMatchObject({ text: '3', reward: 3, finished: true });
    expect(await twig.call('step')).toMatchObject({ text: '2', reward: 2, finished: false });
    expect([session.finished, branch.finished, twig.finished]).toEqual([true, true, false]);
    await branch.close();
    expect(lab.server.sessionCount).toBe(2);
  });

  it('sends the secrets again', async () => {
    await using lab = await serveWalk();
    await using session = await lab.open({ START: 'four' });

    await expect(session.fork()).rejects.toMatchObject({
      name: 'OrsHttpError',
      status: 400,
      detail: expect.stringContaining('START'),
    });
    await using branch = await session.fork({ secrets: { START: 'four' } });

    expect((await branch.call('step')).text).toBe('5');
  });

  it('rejects for an unknown call, and keeps the session', async () => {
    await using lab = await serveWalk();
    await using session = await lab.open();

    await expect(session.fork({ at: 'no-such-call' })).rejects.toMatchObject({
      name: 'OrsHttpError',
      status: 400,
      sid: session.sid,
      detail: expect.stringContaining("'no-such-call'"),
    });
    expect((await session.call('step')).text).toBe('1');
  });

  it('makes one fork, although the first response is lost', async () => {
    await using lab = await serveWalk();
    const bodies: string[] = [];
    const losing = async (url: string | URL | Request, init?: RequestInit) => {
      const response = await fetch(url, init);
      if (!String(url).endsWith('/fork') || bodies.push(String(init?.body)) > 1) return response;
      await response.text();
      throw new TypeError('the connection broke');
    };
    await using client = new OrsClient(lab.server.url, { fetch: losing as typeof fetch });
    await using session = await client.environment('lab').session({ split: 'train', index: 0 });
    await session.call('step');

    await using branch = await session.fork();

    expect([bodies.length, new Set(bodies).size, lab.server.sessionCount]).toEqual([2, 1, 2]);
    expect((await branch.call('step')).text).toBe('2');
    await using other = await session.fork();
    expect(other.sid).not.toBe(branch.sid);
  });

  it('leaves no session behind if its signal aborts', async () => {
    const { promise: gate, resolve: open } = deferred();
    await using lab = await serveWalk(gate);
    await using session = await lab.open();
    const started = deferred<CallHandle>();
    const running = session.call('wait', {}, { onStart: started.resolve });
    await started.promise;
    const controller = new AbortController();
    const forking = session.fork({ signal: controller.signal });
    setTimeout(() => controller.abort(new Error('changed my mind')), 100);

    await expect(forking).rejects.toThrow('changed my mind');
    open();
    await running;

    // Forks later, so the aborted one is over.
    await using branch = await session.fork();
    await until(() => lab.server.sessionCount === 2);
    expect((await branch.call('step')).text).toBe('1');
  });
});

describe('session.fork on other servers', () => {
  it.each([404, 405])('rejects with ForkUnsupportedError after %d, and keeps the session', async (status) => {
    await using server = await startFakeServer({
      '/fork': json({ detail: 'no such operation' }, status),
      '/maze/call': on,
    });
    await using client = createClient(server);
    const session = await openEpisode(client);

    expect(await session.supportsFork()).toBe(false);
    await expect(session.fork()).rejects.toMatchObject({
      name: 'ForkUnsupportedError',
      status,
      sid: 's1',
      detail: 'no such operation',
    });
    expect((await session.call('go')).text).toBe('on');
  });

  it('sends the id of the session, the call and the secrets', async () => {
    await using server = await startFakeServer({ '/fork': json({ sid: 's2' }) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    const branch = await session.fork({ at: 't1', secrets: { KEY: 'value' } });

    expect(branch.handle).toEqual({ environment: 'maze', sid: 's2' });
    expect(server.to('/fork')[0]).toMatchObject({
      headers: {
        'x-session-id': 's1',
        'x-secrets': Buffer.from('{"KEY":{"value":"value"}}').toString('base64'),
      },
      body: { at: 't1' },
    });
  });

  it('rejects with SessionLostError if the session is gone', async () => {
    const gone = json({ detail: 'Session not found' }, 404);
    await using server = await startFakeServer({ '/fork': gone, '/ping': gone });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.fork()).rejects.toMatchObject({ name: 'SessionLostError', sid: 's1' });
  });

  it('rejects with OrsProtocolError for a response without a session id', async () => {
    await using server = await startFakeServer({ '/fork': json({ sid: '' }) });
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.fork()).rejects.toMatchObject({ name: 'OrsProtocolError', sid: 's1' });
  });

  it('rejects secrets that are not strings before it sends anything', async () => {
    await using server = await startFakeServer();
    await using client = createClient(server);
    const session = await openEpisode(client);

    await expect(session.fork({ secrets: { KEY: 1 as never } })).rejects.toThrow("invalid secret 'KEY'");
    expect(server.to('/fork')).toEqual([]);
  });
});

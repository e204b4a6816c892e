import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { HostingOptions, ServerOptions } from 'ors-kit/server';
import * as sources from 'ors-kit/server';
import { pino } from 'pino';
import { type CallAnswer, call, create, request } from '../support/client.ts';
import { until } from '../support/until.ts';
import { loadEnvironments, serve, workerCount } from './built.ts';

const UNRULY = new URL('./modules/unruly.mjs', import.meta.url);
const NOBODY = pino({ level: 'silent' });

let folder: string;
const journal = () => join(folder, 'journal');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ors-kit-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => writeFile(journal(), ''));

/** Resolves with the lines of the journal that contain `text`, once there are at least `count`. */
function inJournal(text: string, count = 1): Promise<string[]> {
  return until(async () => {
    const lines = (await readFile(journal(), 'utf8')).split('\n').filter((line) => line.includes(text));
    return lines.length >= count && lines;
  }, `${count} of '${text}' in the journal`);
}

async function serveUnruly(hosting: HostingOptions, options: ServerOptions = {}) {
  const environments = await loadEnvironments([UNRULY], { isolation: 'worker', ...hosting });
  return serve(environments, { port: 0, log: NOBODY, deleteGraceMs: 100, ...options });
}

const unruly = { environment: 'unruly' };
const start = (server: { url: string }, { index = 0, setup = 'run' } = {}) =>
  create(server, { env_name: 'unruly', split: 'train', index, secrets: { journal: journal(), setup } });
const textOf = ({ result }: CallAnswer) => result?.output?.blocks[0].text;
const count = async (server: { url: string }, sid: string) => textOf(await call(server, sid, 'count', {}, unruly));
const ping = (server: { url: string }, sid: string) => request(server, 'POST', '/ping', { sid });

test.each([
  ['JavaScript', loadEnvironments],
  ['the sources', sources.loadEnvironments],
])('plays an episode in a worker that starts from %s as in the main thread', async (_, load) => {
  const environments = await load([UNRULY], { isolation: 'worker', threads: 1 });
  await using server = await serve(environments, { port: 0, log: NOBODY });

  const listed = await request(server, 'POST', '/unruly/tasks', { body: { split: 'train' } });
  const one = await request(server, 'POST', '/unruly/task', { body: { split: 'train', index: 1 } });
  const sid = await start(server, { index: 1 });
  const prompt = await request(server, 'GET', '/unruly/prompt', { sid });

  expect(await request(server, 'GET', '/list_environments')).toMatchObject({ body: ['unruly', 'calm'] });
  expect(listed.body.tasks).toEqual([{ n: 0 }, { n: 1 }]);
  expect(one.body.task).toEqual({ n: 1 });
  expect(prompt.body[0].text).toBe('Task 1.');
  expect([await count(server, sid), await count(server, sid)]).toEqual(['1', '2']);
  await request(server, 'POST', '/delete', { sid });
  expect(await inJournal(sid, 3)).toEqual([`aborted ${sid}`, `teardown ${sid}`, `cleanup ${sid}`]);
});

test('spreads sessions over the workers, and keeps each in its worker', async () => {
  await using server = await serveUnruly({ threads: 2 });
  const threadOf = async (sid: string) => textOf(await call(server, sid, 'thread', {}, unruly));
  const sids = [await start(server), await start(server), await start(server), await start(server)];

  const threads = await Promise.all(sids.map(threadOf));

  expect(new Set(threads).size).toBe(2);
  expect(await Promise.all(sids.map(threadOf))).toEqual(threads);
});

test('continues everything outside of a worker that a tool blocks, including the heartbeats of its stream', async () => {
  await using server = await serveUnruly({ threads: 2 }, { heartbeatMs: 20 });
  const [busy, free] = [await start(server), await start(server)];
  let beats = 0;
  const blocked = call(server, busy, 'block', {}, { ...unruly, onComment: () => void beats++ });
  await inJournal(`block ${busy}`);
  const before = beats;

  await call(server, free, 'count', {}, unruly);
  expect(await request(server, 'GET', '/health')).toMatchObject({ status: 200 });
  expect(await ping(server, busy)).toMatchObject({ status: 200 });
  // The new session is not assigned to the blocked worker.
  const other = await start(server);
  expect(await count(server, other)).toBe('1');

  await until(() => beats >= before + 5);
  await writeFile(`${journal()}-over`, '');
  expect(textOf(await blocked)).toBe('It is over.');
});

test('ends a tool that spins past its time limit with its worker, whose sessions report the reason', async () => {
  await using server = await serveUnruly({ threads: 2 });
  const { sid: spinning, elsewhere, neighbour } = await startNeighbours(server);

  const spun = await call(server, spinning, 'stall', {}, unruly);
  expect(spun.error).toBe("tool 'stall' was stopped: it ran longer than 300 ms");
  await inJournal(`reap first of ${neighbour}`);

  const [own, others] = [
    "Session lost: tool 'stall' ran longer than 300 ms and did not stop",
    "Session lost: its worker was blocked; running there: tool 'stall'",
  ];
  expect(await ping(server, spinning)).toMatchObject({ status: 410, body: { detail: own } });
  expect(await ping(server, neighbour)).toMatchObject({ status: 410, body: { detail: others } });
  expect(await count(server, elsewhere)).toBe('1');
  expect(await count(server, await start(server))).toBe('1');
});

test('loses only the call of a tool that stops at its time limit', async () => {
  await using server = await serveUnruly({ threads: 1 }, { deleteGraceMs: 5_000 });
  const sid = await start(server);

  expect((await call(server, sid, 'obey', {}, unruly)).error).toContain('longer than 200 ms');
  expect(await count(server, sid)).toBe('1');
});

test('loses only the session of a tool that waits past its time limit', async () => {
  await using server = await serveUnruly({ threads: 1 });
  const [sid, neighbour] = [await start(server), await start(server)];

  expect((await call(server, sid, 'brief', {}, unruly)).error).toContain('longer than 50 ms');
  await inJournal(`teardown ${sid}`);

  expect(await ping(server, sid)).toMatchObject({ status: 410 });
  expect(await count(server, neighbour)).toBe('1');
});

test('loses the session of a setup that exceeds its time limit', async () => {
  const environments = await loadEnvironments([UNRULY], { isolation: 'worker', threads: 2 });
  // Uses the same workers, with enough time for a slow machine.
  await using patient = await serve(environments, { port: 0, log: NOBODY });
  await using server = await serve(environments, { port: 0, log: NOBODY, deleteGraceMs: 100, setupTimeoutMs: 300 });
  const other = await start(patient);
  // The worker of the deleted session has started by now, and has the least load.
  await request(patient, 'POST', '/delete', { sid: await start(patient) });
  const sid = await start(server, { setup: 'spin' });

  await inJournal(`reap first of ${sid}`);

  expect(await ping(server, sid)).toMatchObject({
    status: 410,
    body: { detail: 'Session lost: its setup took longer than 300 ms' },
  });
  expect(await count(patient, other)).toBe('1');
});

/** Opens sessions until one worker has two and the other has one; either worker may be ready first. */
async function startNeighbours(server: { url: string }) {
  const byThread = new Map<string, string[]>();
  return await until(async () => {
    const sid = await start(server);
    const thread = textOf(await call(server, sid, 'thread', {}, unruly));
    byThread.set(thread, [...(byThread.get(thread) ?? []), sid]);
    const [[one, neighbour] = [], [elsewhere] = []] = [...byThread.values()].sort((a, b) => b.length - a.length);
    return one && neighbour && elsewhere ? { sid: one, neighbour, elsewhere } : undefined;
  }, 'two sessions in one worker and one in the other');
}

/** Calls a tool that ends its worker, and checks which sessions are lost and which reason they report. */
async function breaksItsWorker(tool: string, reason: string): Promise<void> {
  await using server = await serveUnruly({ threads: 2 });
  const { sid, neighbour, elsewhere } = await startNeighbours(server);

  const waiting = call(server, neighbour, 'wait', {}, unruly);
  await inJournal(`wait ${neighbour}`);
  const { error } = await call(server, sid, tool, {}, unruly);

  expect([error, (await waiting).error]).toEqual([`session lost: ${reason}`, `session lost: ${reason}`]);
  for (const gone of [sid, neighbour]) {
    expect(await ping(server, gone)).toMatchObject({ status: 410, body: { detail: `Session lost: ${reason}` } });
  }
  expect(await count(server, elsewhere)).toBe('1');
  expect(await count(server, await start(server))).toBe('1');
}

test.each([
  ['throw_later', 'its worker ended with an uncaught error'],
  ['exit', 'its worker ended'],
])('loses exactly the sessions of the worker on %s', breaksItsWorker);

test('reaps the handles of a lost worker in a new one, last registered first', async () => {
  await using server = await serveUnruly({ threads: 1 });
  const sid = await start(server);
  const thread = textOf(await call(server, sid, 'thread', {}, unruly));

  await call(server, sid, 'exit', {}, unruly);

  const [first, second] = await inJournal('reap', 2);
  expect(first).toContain(`reap second of ${sid}`);
  expect(second).toContain(`reap first of ${sid}`);
  expect([first, second].join()).not.toContain(`in thread ${thread}`);
  expect(await inJournal(sid)).toHaveLength(2);
});

test('reaps a session that is deleted while its tool spins', async () => {
  await using server = await serveUnruly({ threads: 1 }, { deleteWaitMs: 100 });
  const sid = await start(server);
  const spinning = call(server, sid, 'spin', {}, unruly);
  await inJournal(`spin ${sid}`);

  expect(await request(server, 'POST', '/delete', { sid })).toMatchObject({ status: 200 });

  expect((await spinning).error).toBe('session deleted');
  await inJournal('reap', 2);
  expect(await count(server, await start(server))).toBe('1');
});

test('loses only the session of a tool that spins, with a worker per session', async () => {
  await using server = await serveUnruly({ threads: 'session' });
  const [spinning, other] = [await start(server), await start(server)];

  await call(server, spinning, 'whirl', {}, unruly);
  await inJournal('reap', 2);

  expect(await ping(server, spinning)).toMatchObject({ status: 410 });
  expect(await count(server, other)).toBe('1');
  expect(await inJournal('reap', 2)).toHaveLength(2);
});

test('tears down all episodes and ends all workers when the server closes', async () => {
  const before = workerCount();
  const server = await serveUnruly({ threads: 2 });
  const sids = [await start(server), await start(server)];

  await server.close();

  for (const sid of sids) expect(await inJournal(`teardown ${sid}`)).toHaveLength(1);
  expect(workerCount()).toBe(before);
});

test('reports why a module does not load in a worker', async () => {
  const missing = loadEnvironments([join(folder, 'missing.ts')], { isolation: 'worker' });
  await expect(missing).rejects.toThrow(`there is no file ${join(folder, 'missing.ts')}`);

  const broken = join(folder, 'broken.mjs');
  await writeFile(broken, 'throw new Error("no database");\n');
  await expect(loadEnvironments([broken], { isolation: 'worker' })).rejects.toThrow('does not load: no database');
});

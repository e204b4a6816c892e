import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { defineEnvironment, defineTool } from 'ors-kit';
import { serve } from 'ors-kit/server';
import { create, hosted, start } from '../support/client.ts';
import { fixture } from '../support/environment.ts';
import { pipeline, type RawRequest, request } from '../support/http.ts';
import { lab } from '../support/lab.ts';
import { validRequest } from '../support/operations.ts';
import { until, withDeadline } from '../support/until.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

// test/soak does the same with many more requests, in a separate process.

const ROUNDS = 3;
/** Maximum growth per round in bytes; a leak of a part of each request would exceed it. */
const BOUND = 500_000;
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

async function heapUsed(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

/**
 * Returns the median of the bytes by which each of three rounds enlarges the heap. Suites that ran earlier in this process
 * may change the heap once; a leak grows in every round.
 */
async function growth(round: (index: number) => Promise<void>, weigh = heapUsed): Promise<number> {
  const sizes = [await weigh()];
  for (let index = 0; index < ROUNDS; index++) {
    await round(index);
    sizes.push(await weigh());
  }
  const [, median = Number.NaN] = sizes
    .slice(1)
    .map((size, index) => size - (sizes[index] ?? 0))
    .sort((a, b) => a - b);
  return median;
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
])('frees the memory of %s', async (_name, count, make, status, bound = BOUND) => {
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

test('frees the memory of deleted episodes except for their ids', async () => {
  const { math, other, journal } = fixture();
  await using server = await serve(await hosted([math, other]), { port: 0, tombstones: 100 });
  const task = { question: 'q'.repeat(20_000), answer: '' };
  const create = { body: JSON.stringify({ env_name: 'math', task_spec: task }) };
  const play = async (from: number) => {
    const sids = Array.from({ length: AT_ONCE }, (_, n) => `${from + n}${'s'.repeat(100)}`);
    for (const id of ['createEpisode', 'getPrompt', 'callTool', 'deleteEpisode'] as const) {
      const responses = await pipeline(
        server.url,
        sids.map((sid) => validRequest(id, sid, id === 'createEpisode' ? create : {})),
      );
      expect(responses.map(({ status }) => status)).toEqual(sids.map(() => 200));
    }
  };
  for (let n = 0; n < 150; n += AT_ONCE) await play(n);

  const growthBytes = await growth((round) => play(150 + round * AT_ONCE));

  expect(growthBytes).toBeLessThan(BOUND);
  expect(server.sessionCount).toBe(0);
  expect(journal).toEqual({ setups: 300, teardowns: 300, counted: 0 });
});

const patient = defineEnvironment({
  name: 'patient',
  splits: { test: [{}] },
  setup: () => ({ turns: 0 }),
  prompt: () => 'Wait.',
  tools: { wait: defineTool({ description: 'Waits.', run: () => ({ text: 'Waited.' }) }) },
});

test('uses less than a kilobyte per idle session', async () => {
  // Always inline: with a worker, the memory of both sides would count.
  await using server = await serve([patient], { port: 0 });
  const open = async (count: number) => {
    for (let left = count; left > 0; left -= AT_ONCE) {
      const responses = await pipeline(
        server.url,
        Array.from({ length: AT_ONCE }, () => post('/create', '{"split":"test","index":0}', withSession(randomUUID()))),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    }
  };
  await open(1_000);

  const growthBytes = await growth(() => open(1_000));

  expect(server.sessionCount).toBe(4_000);
  expect(growthBytes / 1_000).toBeLessThan(1_000);
});

test('frees sent events while a stream waits for its reader', async () => {
  const length = 16 * 1024 * 1024;
  await using server = await start(lab().environment);
  const sid = await create(server);
  const body = JSON.stringify({ name: 'echo', input: { text: 'x', times: length }, task_id: 'mine' });
  const socket = connect(server.port, '127.0.0.1');
  const headers = `X-Session-ID: ${sid}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  socket.write(`POST /lab/call HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`);
  let received = 0;
  const readTo = (bytes: number) => {
    const isRead = new Promise<void>((resolve) => {
      const read = (some: Buffer) => {
        received += some.length;
        if (received < bytes) return;
        socket.pause().off('data', read);
        resolve();
      };
      socket.on('data', read).resume();
    });
    return withDeadline(isRead, `${bytes} bytes of the stream`);
  };
  await readTo(1_000_000);

  const growthBytes = await growth((round) => readTo(1_000_000 + ((round + 1) * length) / 6));
  socket.destroy();
  await withDeadline(once(socket, 'close'), 'the end of the connection');

  expect(growthBytes).toBeLessThan(BOUND);
});

test('frees the request body of a running call', async () => {
  const { environment, events, open } = lab();
  await using server = await start(environment);
  const sid = await create(server);
  const json = '{"name":"wait_together","input":{"gate":"g"}}';
  const body = json + ' '.repeat(900_000);
  const headers = `X-Session-ID: ${sid}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const wait = async (count: number) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`POST /lab/call HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`);
    await until(() => events.length > count);
    return socket;
  };
  const sockets = [await wait(1)];

  const bodies = async () => {
    await heapUsed();
    return process.memoryUsage().arrayBuffers;
  };
  const growthBytes = await growth(async () => {
    for (let more = 0; more < 6; more++) sockets.push(await wait(sockets.length + 1));
  }, bodies);
  open('g');
  for (const socket of sockets) socket.destroy();

  expect(growthBytes).toBeLessThan(BOUND);
});

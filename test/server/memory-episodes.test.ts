import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { serve } from 'ors-kit/server';
import { create, hosted, start } from '../support/client.ts';
import { fixture } from '../support/environment.ts';
import { GROWTH_BOUND, growth, heapUsed } from '../support/heap.ts';
import { pipeline } from '../support/http.ts';
import { lab } from '../support/lab.ts';
import { validRequest } from '../support/operations.ts';
import { until, withDeadline } from '../support/until.ts';

const AT_ONCE = 50;

test('frees the memory of deleted episodes except for their ids', async () => {
  const { math, other, journal } = fixture();
  await using server = await serve(await hosted([math, other]), { port: 0, tombstones: 100 });
  const task = { question: 'q'.repeat(20_000), answer: '' };
  const create = { body: JSON.stringify({ env_name: 'math', task_spec: task }) };
  let played = 0;
  const play = async () => {
    const sids = Array.from({ length: AT_ONCE }, (_, n) => `${played + n}${'s'.repeat(100)}`);
    played += AT_ONCE;
    for (const id of ['createEpisode', 'getPrompt', 'callTool', 'deleteEpisode'] as const) {
      const responses = await pipeline(
        server.url,
        sids.map((sid) => validRequest(id, sid, id === 'createEpisode' ? create : {})),
      );
      expect(responses.map(({ status }) => status)).toEqual(sids.map(() => 200));
    }
  };
  for (let round = 0; round < 3; round++) await play();

  const growthBytes = await growth(play);

  expect(growthBytes).toBeLessThan(GROWTH_BOUND);
  expect(server.sessionCount).toBe(0);
  expect(journal).toEqual({ setups: played, teardowns: played, counted: 0 });
});

test('uses less than a kilobyte per idle session', async () => {
  // In a separate process, because the heap of this one also contains what earlier suites left.
  const program = fileURLToPath(new URL('./idle-sessions.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program], { timeout: 60_000 });

  const { bytes, statuses, sessions } = JSON.parse(stdout);
  expect({ statuses, sessions }).toEqual({ statuses: [200], sessions: 4_000 });
  expect(bytes).toBeLessThan(1_000);
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

  const growthBytes = await growth((round) => readTo(1_000_000 + ((round + 1) * length) / 8));
  socket.destroy();
  await withDeadline(once(socket, 'close'), 'the end of the connection');

  expect(growthBytes).toBeLessThan(GROWTH_BOUND);
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

  expect(growthBytes).toBeLessThan(GROWTH_BOUND);
});

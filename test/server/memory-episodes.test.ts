import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { create, start } from '../support/client.ts';
import { GROWTH_BOUND, growth, heapUsed } from '../support/heap.ts';
import { lab } from '../support/lab.ts';
import { until, withDeadline } from '../support/until.ts';

test('uses less than a kilobyte per idle session, and frees the memory of deleted episodes except for their ids', async () => {
  // In a separate process, because the heap of this one also contains what earlier suites left.
  const program = fileURLToPath(new URL('./episode-memory.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program], { timeout: 80_000 });

  const { idle, deleted } = JSON.parse(stdout);
  expect(idle.sessions).toBe(4_000);
  expect(idle.bytes).toBeLessThan(1_000);
  expect(deleted).toMatchObject({ sessions: 0, journal: { setups: 300, teardowns: 300, counted: 0 } });
  expect(deleted.bytes).toBeLessThan(GROWTH_BOUND);
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

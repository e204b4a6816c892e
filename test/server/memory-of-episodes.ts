/** Prints by how many bytes episodes and calls enlarge the memory of this process. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { defineEnvironment } from 'ors-kit';
import { type RunningServer, serve } from 'ors-kit/server';
import { create, hosted, start } from '../support/client.ts';
import { fixture } from '../support/environment.ts';
import { growth, heapUsed } from '../support/heap.ts';
import { pipeline, request } from '../support/http.ts';
import { lab } from '../support/lab.ts';
import { validRequest } from '../support/operations.ts';
import { until, withDeadline } from '../support/until.ts';

const AT_ONCE = 50;
const IDLE_SESSIONS = 1_000;
const FILLER = 'q'.repeat(20_000);

const patient = defineEnvironment({
  name: 'patient',
  splits: { test: [{}] },
  setup: () => ({ turns: 0 }),
  prompt: () => 'Wait.',
  tools: { wait: { description: 'Waits.', run: () => ({ text: 'Waited.' }) } },
});

type EpisodeOperation = 'createEpisode' | 'getPrompt' | 'callTool' | 'deleteEpisode';

/** Sends a request for each session. @throws Error for a response that is not a success. */
async function sendAll(server: RunningServer, id: EpisodeOperation, sids: readonly string[], body?: string) {
  const responses = await pipeline(
    server.url,
    sids.map((sid) => validRequest(id, sid, body === undefined ? {} : { body })),
  );
  const failed = responses.find(({ status }) => status !== 200);
  if (failed || responses.length !== sids.length) throw new Error(`${id}: ${JSON.stringify(failed)}`);
}

async function measureIdle() {
  // Always inline: with a worker, the memory of both sides would count.
  await using server = await serve([patient], { port: 0 });
  // Loads Express before memory is measured: by itself, it would be loaded some time later, and takes 7 MB.
  await request(server.url, { target: '/docs/' });
  const open = async () => {
    for (let left = IDLE_SESSIONS; left > 0; left -= AT_ONCE) {
      const sids = Array.from({ length: AT_ONCE }, () => randomUUID());
      await sendAll(server, 'createEpisode', sids, '{"split":"test","index":0}');
    }
  };
  await open();
  const bytes = (await growth(open)) / IDLE_SESSIONS;
  return { bytes, sessions: server.sessionCount };
}

async function measureDeleted() {
  const { math, other, journal } = fixture();
  await using server = await serve(await hosted([math, other]), { port: 0, tombstones: 100 });
  const task = { question: FILLER, answer: '' };
  const create = JSON.stringify({ env_name: 'math', task_spec: task });
  let played = 0;
  const play = async () => {
    const sids = Array.from({ length: AT_ONCE }, (_, n) => `${played + n}${'s'.repeat(100)}`);
    played += AT_ONCE;
    await sendAll(server, 'createEpisode', sids, create);
    for (const id of ['getPrompt', 'callTool', 'deleteEpisode'] as const) await sendAll(server, id, sids);
  };
  for (let round = 0; round < 3; round++) await play();
  const bytes = await growth(play);
  return { bytes, sessions: server.sessionCount, journal };
}

/** Opens a connection, and sends a call of the lab. */
function sendCall(port: number, sid: string, body: string): Socket {
  const headers = `X-Session-ID: ${sid}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST /lab/call HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`);
  return socket;
}

async function measureSentEvents() {
  const length = 16 * 1024 * 1024;
  await using server = await start(lab().environment);
  const sid = await create(server);
  const input = { text: 'x', times: length };
  const socket = sendCall(server.port, sid, JSON.stringify({ name: 'echo', input, task_id: 'mine' }));
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
  const bytes = await growth((round) => readTo(1_000_000 + ((round + 1) * length) / 8));
  socket.destroy();
  await withDeadline(once(socket, 'close'), 'the end of the connection');
  return { bytes };
}

async function measureRequestBodies() {
  const { environment, events, open } = lab();
  await using server = await start(environment);
  const sid = await create(server);
  const body = `{"name":"wait_together","input":{"gate":"g"}}${' '.repeat(900_000)}`;
  const sockets: Socket[] = [];
  const running = () => events.filter((event) => event === 'start g').length;
  const call = async () => {
    sockets.push(sendCall(server.port, sid, body));
    await until(() => running() === sockets.length);
  };
  const bodies = async () => {
    await heapUsed();
    return process.memoryUsage().arrayBuffers;
  };
  await call();
  const bytes = await growth(async () => {
    for (let more = 0; more < 6; more++) await call();
  }, bodies);
  const calls = running();
  open('g');
  for (const socket of sockets) socket.destroy();
  return { bytes, calls };
}

const measurements = {
  idle: await measureIdle(),
  deleted: await measureDeleted(),
  sentEvents: await measureSentEvents(),
  requestBodies: await measureRequestBodies(),
};
process.stdout.write(JSON.stringify(measurements));

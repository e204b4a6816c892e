/** Prints by how many bytes episodes enlarge the heap of this process: idle ones, and deleted ones. */
import { randomUUID } from 'node:crypto';
import { defineEnvironment } from 'ors-kit';
import { type RunningServer, serve } from 'ors-kit/server';
import { hosted } from '../support/client.ts';
import { fixture } from '../support/environment.ts';
import { growth } from '../support/heap.ts';
import { pipeline, request } from '../support/http.ts';
import { validRequest } from '../support/operations.ts';

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

process.stdout.write(JSON.stringify({ idle: await measureIdle(), deleted: await measureDeleted() }));

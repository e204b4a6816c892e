import { setTimeout as sleep } from 'node:timers/promises';
import { checkCall } from '../load/answers.ts';
import { Connection, withConnections } from '../load/connection.ts';
import { callRequest, openEpisodes } from '../load/episode.ts';
import { percentile } from '../load/statistics.ts';
import type { Contestant } from '../process/contestants.ts';
import { openFileLimit } from '../process/proc.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import { type Bench, inRounds, type Measure } from './measure.ts';

const measure = 'streams';
const startsPerSecond = 1500;
/** Files of a process that are no connections of the load. */
export const filesOfItsOwn = 200;

interface Size {
  count: number;
  seconds: number;
  rounds: number;
  /** Contestants that would take minutes and be as with fewer streams. */
  without: readonly string[];
}

/** Many calls of many seconds, held open at once, each in a session of its own. */
export const streams: Measure = {
  name: measure,
  about: 'held streams: resident kB per stream, p99 to the first event, all ended right (5,000 and 20,000)',
  run: async (bench) => {
    for (const size of sizes(bench.quick)) {
      const count = Math.min(size.count, openFileLimit('self') - filesOfItsOwn);
      if (count < size.count) {
        bench.note(`streams: the limit of open files (\`ulimit -n\`) lets ${count} in place of ${size.count}.`);
      }
      const runners = bench.contestants.filter(({ name }) => !size.without.includes(name));
      const plan = { rounds: size.rounds, runners, warmUp: false, limitSeconds: size.seconds + 60 + count / 50 };
      await inRounds(bench, measure, plan, (contestant) => holdStreams(bench, contestant, { ...size, count }));
    }
  },
};

/** Longer than it takes to start them all, so that all are held at once; 10 s after its start each has a heartbeat. */
const sizes = (quick: boolean): Size[] =>
  quick
    ? [{ count: 1000, seconds: 11, rounds: 1, without: [] }]
    : [
        { count: 5000, seconds: 12, rounds: 2, without: [] },
        { count: 20_000, seconds: 25, rounds: 1, without: ['express', 'openreward', 'fastify'] },
      ];

interface Held {
  sinceFirstEvent: number[];
  heartbeats: number;
  faults: unknown[];
}

async function holdStreams(bench: Bench, contestant: Contestant, size: Pick<Size, 'count' | 'seconds'>): Promise<void> {
  await using server = await startServer(contestant);
  if (server.openFileLimit() < size.count + filesOfItsOwn / 2) {
    throw new Error(`the server may open ${server.openFileLimit()} files only: raise \`ulimit -n\``);
  }
  const sids = await withConnections(server.port, 32, (connections) => openEpisodes(connections, size.count));
  await sleep(1500);
  const before = server.memory();
  let most = before;
  const sampler = setInterval(() => {
    most = Math.max(most, server.memory());
  }, 500);
  const from = performance.now();
  const held = await startAll(server, sids, size.seconds).finally(() => clearInterval(sampler));
  const seconds = (performance.now() - from) / 1000;

  for (const fault of held.faults) bench.fault(measure, contestant.name, fault);
  const which = `${size.count.toLocaleString('en')} x ${size.seconds} s`;
  const record = (name: string, better: 'more' | 'less' | 'neither', value: number) =>
    bench.record({ measure: `${measure}, ${which}`, name, better }, contestant.name, value);
  record('ended right', 'more', size.count - held.faults.length);
  record('RSS kB/stream', 'less', (most - before) / 1024 / size.count);
  record('p99 ms to first event', 'less', percentile(Float64Array.from(held.sinceFirstEvent), 0.99));
  record(`all ended after s (ideal ${(size.seconds + size.count / startsPerSecond).toFixed(1)})`, 'less', seconds);
  record('heartbeats/stream', 'neither', held.heartbeats / size.count);
}

/** Starts one stream per session at an even pace that does not wait for the server, and awaits them all. */
async function startAll(server: ServerProcess, sids: readonly string[], seconds: number): Promise<Held> {
  const held: Held = { sinceFirstEvent: [], heartbeats: 0, faults: [] };
  const streams: Promise<void>[] = [];
  await atEvenPace(sids, (sid) => {
    streams.push(holdOne(server, sid, seconds, held).catch((fault) => void held.faults.push(fault)));
  });
  await Promise.all(streams);
  return held;
}

export async function atEvenPace(sids: readonly string[], start: (sid: string) => void): Promise<void> {
  const from = performance.now();
  for (const [index, sid] of sids.entries()) {
    const due = from + (index * 1000) / startsPerSecond;
    while (performance.now() < due) await sleep(1);
    start(sid);
  }
}

async function holdOne(server: ServerProcess, sid: string, seconds: number, held: Held): Promise<void> {
  const from = performance.now();
  const connection = await Connection.open(server.port);
  try {
    const reply = await connection.send(callRequest(sid, 'wait', { seconds }));
    held.sinceFirstEvent.push(reply.firstByteAt - from);
    checkCall(reply, 'Waited.', null);
    held.heartbeats += reply.body.match(/^:/gm)?.length ?? 0;
  } finally {
    connection.close();
  }
}

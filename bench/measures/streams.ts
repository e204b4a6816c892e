import { setTimeout as sleep } from 'node:timers/promises';
import { checkCall } from '../load/answers.ts';
import { Connection, withConnections } from '../load/connection.ts';
import { callRequest, openEpisode } from '../load/episode.ts';
import { percentile } from '../load/statistics.ts';
import type { Contestant } from '../process/contestants.ts';
import { openFileLimit } from '../process/proc.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import { type Bench, inRounds, type Measure } from './measure.ts';

const measure = 'streams';
const startsPerSecond = 1500;
const filesOfItsOwn = 100;

/** Many calls of many seconds, held open at once, each in a session of its own. */
export const streams: Measure = {
  name: measure,
  about: 'held streams: resident kB per stream, p99 to the first event, all ended right (5,000 of 20 s)',
  run: async (bench) => {
    const size = bench.quick ? { count: 1000, seconds: 5 } : { count: 5000, seconds: 20 };
    const needed = size.count + filesOfItsOwn;
    const allowed = openFileLimit('self');
    if (allowed < needed) {
      bench.note(
        `streams was left out: it needs ${needed} open files in each process and the limit is ${allowed}. ` +
          `Raise it (\`ulimit -n ${needed * 2}\`) and run this again with --only streams.`,
      );
      return;
    }
    const plan = {
      rounds: bench.quick ? 1 : 3,
      runners: bench.contestants,
      warmUp: false,
      limitSeconds: size.seconds + 180,
    };
    await inRounds(bench, measure, plan, (contestant) => holdStreams(bench, contestant, size));
  },
};

interface Held {
  sinceFirstEvent: number[];
  heartbeats: number;
  faults: unknown[];
}

async function holdStreams(
  bench: Bench,
  contestant: Contestant,
  size: { count: number; seconds: number },
): Promise<void> {
  await using server = await startServer(contestant);
  if (server.openFileLimit() < size.count + filesOfItsOwn) {
    throw new Error(`the server may open ${server.openFileLimit()} files only: raise \`ulimit -n\``);
  }
  const sids = await openSessions(server, size.count);
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
  const record = (name: string, better: 'more' | 'less' | 'neither', value: number) =>
    bench.record({ measure, name, better }, contestant.name, value);
  record(`ended right, of ${size.count} x ${size.seconds} s`, 'more', size.count - held.faults.length);
  record('RSS kB/stream', 'less', (most - before) / 1024 / size.count);
  record('p99 ms to first event', 'less', percentile(Float64Array.from(held.sinceFirstEvent), 0.99));
  record(`all ended after s (ideal ${(size.seconds + size.count / startsPerSecond).toFixed(1)})`, 'less', seconds);
  record('heartbeats/stream', 'neither', held.heartbeats / size.count);
}

async function openSessions(server: ServerProcess, count: number): Promise<string[]> {
  const sids: string[] = [];
  await withConnections(server.port, 32, async (connections) => {
    let left = count;
    await Promise.all(
      connections.map(async (connection) => {
        while (left-- > 0) sids.push(await openEpisode(connection));
      }),
    );
  });
  return sids;
}

/** Starts one stream per session at an even pace that does not wait for the server, and awaits them all. */
async function startAll(server: ServerProcess, sids: readonly string[], seconds: number): Promise<Held> {
  const held: Held = { sinceFirstEvent: [], heartbeats: 0, faults: [] };
  const from = performance.now();
  const streams: Promise<void>[] = [];
  for (const [index, sid] of sids.entries()) {
    const due = from + (index * 1000) / startsPerSecond;
    while (performance.now() < due) await sleep(1);
    streams.push(holdOne(server, sid, seconds, held).catch((fault) => void held.faults.push(fault)));
  }
  await Promise.all(streams);
  return held;
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

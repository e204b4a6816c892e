import { setTimeout as sleep } from 'node:timers/promises';
import { type Call, openSessions, type ProtocolSession, withClients } from '../load/protocol.ts';
import { type Contestant, otherProtocolNames } from '../process/contestants.ts';
import { memoryGrowth, openFileLimit } from '../process/proc.ts';
import { startServer } from '../process/server-process.ts';
import { percentile } from '../statistics.ts';
import { type Measure, type MeasureContext, runRounds } from './measure.ts';

const measure = 'streams';
const STARTS_PER_SECOND = 1500;
/** Open files of a process that are not connections of the load. */
const OTHER_FILES = 200;

interface StreamLoad {
  count: number;
  seconds: number;
  rounds: number;
  /** Contestants that are left out: they would take minutes, with the same result as with fewer streams. */
  without: readonly string[];
}

/** Long calls, open at the same time, each in its own session. */
export const streams: Measure = {
  name: measure,
  about: 'open streams (5,000 and 20,000): resident kB per stream, p99 to the first event, and whether all complete',
  run: async (context) => {
    for (const load of loads(context.quick)) {
      const count = Math.min(load.count, openFileLimit('self') - OTHER_FILES);
      if (count < load.count) {
        context.note(`streams: the open-file limit (\`ulimit -n\`) allows ${count} instead of ${load.count}.`);
      }
      const runners = context.contestants.filter(({ name }) => !load.without.includes(name));
      const plan = { rounds: load.rounds, runners, warmUp: false, timeoutSeconds: load.seconds + 60 + count / 50 };
      await runRounds(context, measure, plan, (contestant) => holdStreams(context, contestant, { ...load, count }));
    }
  },
};

/** Calls that last until all of them have started and each has had a heartbeat, which comes after 10 s. */
const loads = (quick: boolean): StreamLoad[] =>
  quick
    ? [{ count: 1000, seconds: 11, rounds: 1, without: [] }]
    : [
        { count: 5000, seconds: 12, rounds: 2, without: [] },
        { count: 20_000, seconds: 25, rounds: 1, without: ['express', 'openreward', 'fastify', ...otherProtocolNames] },
      ];

interface StreamFigures {
  firstEvents: number[];
  heartbeats: number;
  faults: unknown[];
}

async function holdStreams(
  context: MeasureContext,
  contestant: Contestant,
  { count, seconds }: Pick<StreamLoad, 'count' | 'seconds'>,
): Promise<void> {
  await using server = await startServer(contestant);
  if (server.openFileLimit() < count + OTHER_FILES / 2) {
    throw new Error(`the server may open only ${server.openFileLimit()} files: raise \`ulimit -n\``);
  }
  if (server.protocol.sessionIsConnection) {
    context.note(`streams, ${contestant.name}: a call is held on the connection of its session, which existed before.`);
  }
  const figures: StreamFigures = { firstEvents: [], heartbeats: 0, faults: [] };
  const { growth, total } = await withClients(server, 32, async (clients) => {
    const sessions = await openSessions(clients, count);
    await sleep(1500);
    const from = performance.now();
    const growth = await memoryGrowth(server.pid, 500, () => runStreams(sessions, seconds, figures));
    return { growth, total: (performance.now() - from) / 1000 };
  });

  for (const fault of figures.faults) context.fault(measure, contestant.name, fault);
  const which = `${count.toLocaleString('en')} x ${seconds} s`;
  const record = (name: string, better: 'more' | 'less' | 'neither', value: number) =>
    context.record({ measure: `${measure}, ${which}`, name, better }, contestant.name, value);
  record('completed', 'more', count - figures.faults.length);
  record('RSS kB/stream', 'less', growth / 1024 / count);
  if (figures.firstEvents.length > 0) record('p99 ms to first event', 'less', percentile(figures.firstEvents, 0.99));
  record(`seconds until all completed (ideal ${(seconds + count / STARTS_PER_SECOND).toFixed(1)})`, 'less', total);
  record('heartbeats/stream', 'neither', figures.heartbeats / count);
}

/** Starts one stream per session, at a constant rate that does not depend on the server, and waits for all of them. */
async function runStreams(
  sessions: readonly ProtocolSession[],
  seconds: number,
  figures: StreamFigures,
): Promise<void> {
  const call: Call = { tool: 'wait', input: { seconds }, text: 'Waited.', reward: null };
  const running: Promise<void>[] = [];
  await startAtConstantRate(sessions, (session) => {
    running.push(runStream(session, call, figures).catch((fault) => void figures.faults.push(fault)));
  });
  await Promise.all(running);
}

/** Calls `start` for each item, `STARTS_PER_SECOND` times per second. */
export async function startAtConstantRate<T>(items: readonly T[], start: (item: T) => void): Promise<void> {
  const from = performance.now();
  for (const [index, item] of items.entries()) {
    const due = from + (index * 1000) / STARTS_PER_SECOND;
    while (performance.now() < due) await sleep(1);
    start(item);
  }
}

async function runStream(session: ProtocolSession, call: Call, figures: StreamFigures): Promise<void> {
  const { firstEventMs, heartbeats } = await session.hold(call);
  if (firstEventMs !== undefined) figures.firstEvents.push(firstEventMs);
  figures.heartbeats += heartbeats;
}

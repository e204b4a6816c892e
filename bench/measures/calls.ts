import { repeatedCallCheck } from '../load/answers.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { type Call, callRequest, closeEpisode, openEpisode, submit } from '../load/episode.ts';
import { percentile } from '../load/statistics.ts';
import type { ServerProcess } from '../process/server-process.ts';
import {
  type Bench,
  COMPILING_SECONDS,
  inGenerations,
  inRounds,
  type Measure,
  timed,
  type Usage,
  WAKING_SECONDS,
  withServers,
} from './measure.ts';

interface Load {
  /** What is called, as the table shows it. */
  what: string;
  call: Call;
  connections: number;
  seconds: number;
  warmUpSeconds: number;
}

const big = (bytes: number): Call => ({ tool: 'big', input: { bytes }, text: 'x'.repeat(bytes), reward: null });
const slow: Call = { tool: 'wait', input: { seconds: 0.005 }, text: 'Waited.', reward: null };

/** The names of the two loads that the goals are about. */
export const smallCalls = (connections: number) =>
  `calls, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;

/** One session per connection, each connection with one call under way. */
export const calls: Measure = {
  name: 'calls',
  about: 'calls per second, p50 and p99, CPU per call, memory: 1, 32 and 512 connections; small, 10 KB, 1 MB; of 5 ms',
  run: async (bench) => {
    const often = bench.quick ? { count: 2, seconds: 0.5 } : { count: 6, seconds: 1 };
    for (const connections of [1, 32]) {
      const load = {
        what: 'calls',
        call: submit,
        connections,
        seconds: often.seconds,
        warmUpSeconds: COMPILING_SECONDS,
      };
      const plan = { count: often.count, rounds: 2, limitSeconds: 60 };
      await inGenerations(bench, nameOf(load), plan, roundOf(bench, load));
    }
    const seldom = bench.quick ? { rounds: 2, seconds: 0.4 } : { rounds: 5, seconds: 0.75 };
    await withServers(bench, 'calls', async (runners) => {
      for (const work of seldomCalled) {
        const load = { ...work, seconds: seldom.seconds, warmUpSeconds: 1 };
        const plan = { rounds: seldom.rounds, runners, warmUp: true, limitSeconds: 60 };
        await inRounds(bench, nameOf(load), plan, roundOf(bench, load));
      }
    });
    if (!bench.quick) bench.note('1 MB on 512 connections is not measured: half a gigabyte would be on its way.');
  },
};

const seldomCalled: readonly Omit<Load, 'seconds' | 'warmUpSeconds'>[] = [
  { what: 'calls', call: submit, connections: 512 },
  { what: 'calls of 5 ms', call: slow, connections: 1 },
  { what: 'calls of 5 ms', call: slow, connections: 32 },
  { what: 'calls of 5 ms', call: slow, connections: 512 },
  { what: 'calls with 10 KB', call: big(10_000), connections: 1 },
  { what: 'calls with 10 KB', call: big(10_000), connections: 32 },
  { what: 'calls with 10 KB', call: big(10_000), connections: 512 },
  { what: 'calls with 1 MB', call: big(1_000_000), connections: 1 },
  { what: 'calls with 1 MB', call: big(1_000_000), connections: 32 },
];

const nameOf = ({ what, connections }: Load) => smallCalls(connections).replace('calls', what);

/** One connection would bring a new process too few calls in that time for all that it compiles. */
const WARMING_CONNECTIONS = 32;

const warmUpOf = (load: Load): Load => ({
  ...load,
  seconds: load.warmUpSeconds,
  connections: Math.max(load.connections, WARMING_CONNECTIONS),
});

const roundOf = (bench: Bench, load: Load) => async (server: ServerProcess, round: number) => {
  const measure = nameOf(load);
  const figures = await callRound(bench, measure, server, round === 0 ? warmUpOf(load) : load);
  if (round === 0) return;
  recordRound(bench, measure, server, figures);
  const megabytes = server.memory() / 1e6;
  bench.record({ measure, name: 'RSS MB afterwards', better: 'less' }, server.name, megabytes);
};

interface Round extends Usage {
  latencies: number[];
}

/** What all loads of equal requests have in common; `one` is what is counted. */
export function recordRound(
  bench: Bench,
  measure: string,
  server: ServerProcess,
  { latencies, seconds, cpu }: Round,
  one = 'call',
): void {
  const sorted = Float64Array.from(latencies);
  const record = (name: string, better: 'more' | 'less', value: number) =>
    bench.record({ measure, name, better }, server.name, value);
  record(`${one}s/s`, 'more', latencies.length / seconds);
  record('p50 ms', 'less', percentile(sorted, 0.5));
  record('p99 ms', 'less', percentile(sorted, 0.99));
  record(`CPU us/${one}`, 'less', cpu / latencies.length);
}

/** Opens connections and a session for each, calls for some seconds, and closes the sessions. */
export async function callRound(
  bench: Bench,
  measure: string,
  server: ServerProcess,
  { connections: count, call, seconds }: Pick<Load, 'connections' | 'call' | 'seconds'>,
): Promise<Round> {
  return withConnections(server.port, count, async (connections) => {
    const sids = await Promise.all(connections.map((connection) => openEpisode(connection)));
    const latencies: number[] = [];
    const onWrong = (error: unknown) => bench.fault(measure, server.name, error);
    const plan = { connections, sids, call, onWrong };
    await callFor(WAKING_SECONDS, { ...plan, latencies: [] });
    const usage = await timed(bench, measure, server, () => callFor(seconds, { ...plan, latencies }));
    await Promise.all(connections.map((connection, index) => closeEpisode(connection, sids[index] ?? '')));
    return { latencies, ...usage };
  });
}

interface Calls {
  connections: readonly Connection[];
  /** The session of each connection. */
  sids: readonly string[];
  call: Call;
  /** Gets the milliseconds of each call. */
  latencies: number[];
  onWrong: (error: unknown) => void;
}

/** Calls on every connection, one after the other, until the time is over. */
export async function callFor(seconds: number, { connections, sids, call, latencies, onWrong }: Calls): Promise<void> {
  const check = repeatedCallCheck(call.text, call.reward);
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    connections.map(async (connection, index) => {
      const request = callRequest(sids[index] ?? '', call.tool, call.input);
      for (let from = performance.now(); from < end; ) {
        const reply = await connection.send(request);
        const now = performance.now();
        latencies.push(now - from);
        try {
          check(reply);
        } catch (error) {
          onWrong(error);
        }
        from = now;
      }
    }),
  );
}

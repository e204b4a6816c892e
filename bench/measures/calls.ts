import { repeatedCallCheck } from '../load/answers.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { callRequest, closeEpisode, openEpisode } from '../load/episode.ts';
import { percentile } from '../load/statistics.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { type Bench, inRounds, type Measure, timed, withServers } from './measure.ts';

/** Small tool calls, one session per connection, each connection with one call under way. */
export const calls: Measure = {
  name: 'calls',
  about: 'calls per second, p50 and p99, CPU per call, with 1 and with 32 connections',
  run: (bench) =>
    withServers(bench, 'calls', async (servers) => {
      const seconds = bench.quick ? 0.75 : 1.5;
      const plan = { rounds: bench.quick ? 6 : 15, runners: servers, warmUp: true, limitSeconds: seconds + 30 };
      for (const connections of [1, 32]) {
        const measure = `calls, ${connections} connection${connections === 1 ? '' : 's'}`;
        await inRounds(bench, measure, plan, async (server, round) => {
          const figures = await callRound(bench, measure, server, connections, round === 0 ? 1.5 : seconds);
          if (round > 0) recordRound(bench, measure, server, figures);
        });
      }
    }),
};

interface Round {
  latencies: number[];
  seconds: number;
  cpu: number;
}

function recordRound(bench: Bench, measure: string, server: ServerProcess, { latencies, seconds, cpu }: Round): void {
  const sorted = Float64Array.from(latencies);
  const record = (name: string, better: 'more' | 'less', value: number) =>
    bench.record({ measure, name, better }, server.name, value);
  record('calls/s', 'more', latencies.length / seconds);
  record('p50 ms', 'less', percentile(sorted, 0.5));
  record('p99 ms', 'less', percentile(sorted, 0.99));
  record('CPU us/call', 'less', cpu / latencies.length);
}

async function callRound(
  bench: Bench,
  measure: string,
  server: ServerProcess,
  count: number,
  seconds: number,
): Promise<Round> {
  return withConnections(server.port, count, async (connections) => {
    const sids = await Promise.all(connections.map(openEpisode));
    const latencies: number[] = [];
    const onWrong = (error: unknown) => bench.fault(measure, server.name, error);
    const usage = await timed(bench, measure, server, () => callFor(seconds, connections, sids, latencies, onWrong));
    await Promise.all(connections.map((connection, index) => closeEpisode(connection, sids[index] ?? '')));
    return { latencies, ...usage };
  });
}

/** Calls on every connection, one after the other, until the time is over. */
export async function callFor(
  seconds: number,
  connections: readonly Connection[],
  sids: readonly string[],
  latencies: number[],
  onWrong: (error: unknown) => void,
): Promise<void> {
  const check = repeatedCallCheck('Correct!', 1);
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    connections.map(async (connection, index) => {
      const request = callRequest(sids[index] ?? '', 'submit', { answer: '4' });
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

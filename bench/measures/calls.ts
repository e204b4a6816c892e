import { type Call, type PreparedCall, submit, withClients } from '../load/protocol.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { percentile } from '../statistics.ts';
import {
  type Measure,
  type MeasureContext,
  measureUsage,
  RAMP_UP_SECONDS,
  runGenerations,
  runRounds,
  type Usage,
  WARM_UP_SECONDS,
  withServers,
} from './measure.ts';

interface CallLoad {
  /** Kind of the calls, as the table shows it. */
  what: string;
  call: Call;
  connections: number;
  seconds: number;
  warmUpSeconds: number;
}

const big = (bytes: number): Call => ({ tool: 'big', input: { bytes }, text: 'x'.repeat(bytes), reward: null });
const slow: Call = { tool: 'wait', input: { seconds: 0.005 }, text: 'Waited.', reward: null };

/** The measure names of the two loads that have goals. */
export const smallCalls = (connections: number) =>
  `calls, ${connections} ${connections === 1 ? 'connection' : 'connections'}`;

/** One session and one pending call per connection. */
export const calls: Measure = {
  name: 'calls',
  about:
    'calls/s, p50, p99, CPU per call and memory: 1, 32 and 512 connections; small results, 10 KB, 1 MB; 5 ms tools',
  run: async (context) => {
    const small = context.quick ? { count: 2, seconds: 0.5 } : { count: 6, seconds: 1 };
    for (const connections of [1, 32]) {
      const load = { what: 'calls', call: submit, connections, seconds: small.seconds, warmUpSeconds: WARM_UP_SECONDS };
      const plan = { count: small.count, rounds: 2, timeoutSeconds: 60 };
      await runGenerations(context, nameOf(load), plan, roundOf(context, load));
    }
    const other = context.quick ? { rounds: 2, seconds: 0.4 } : { rounds: 5, seconds: 0.75 };
    await withServers(context, 'calls', async (runners) => {
      for (const kind of otherLoads) {
        const load = { ...kind, seconds: other.seconds, warmUpSeconds: 1 };
        const plan = { rounds: other.rounds, runners, warmUp: true, timeoutSeconds: 60 };
        await runRounds(context, nameOf(load), plan, roundOf(context, load));
      }
    });
    if (!context.quick) context.note('1 MB on 512 connections is not measured, because 500 MB would be in flight.');
  },
};

const otherLoads: readonly Omit<CallLoad, 'seconds' | 'warmUpSeconds'>[] = [
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

const nameOf = ({ what, connections }: CallLoad) => smallCalls(connections).replace('calls', what);

/** On one connection a new process would get too few calls during the warm-up for V8 to compile its code. */
const WARM_UP_CONNECTIONS = 32;

const warmUpOf = (load: CallLoad): CallLoad => ({
  ...load,
  seconds: load.warmUpSeconds,
  connections: Math.max(load.connections, WARM_UP_CONNECTIONS),
});

const roundOf = (context: MeasureContext, load: CallLoad) => async (server: ServerProcess, round: number) => {
  const measure = nameOf(load);
  const figures = await runCalls(context, measure, server, round === 0 ? warmUpOf(load) : load);
  if (round === 0) return;
  recordRound(context, measure, server, figures);
  const megabytes = server.memory() / 1e6;
  context.record({ measure, name: 'RSS MB afterwards', better: 'less' }, server.name, megabytes);
};

interface RoundFigures extends Usage {
  latencies: number[];
}

/** Records the figures of a load of equal requests; `unit` is what is counted. */
export function recordRound(
  context: MeasureContext,
  measure: string,
  server: ServerProcess,
  { latencies, seconds, cpu }: RoundFigures,
  unit = 'call',
): void {
  const record = (name: string, better: 'more' | 'less', value: number) =>
    context.record({ measure, name, better }, server.name, value);
  record(`${unit}s/s`, 'more', latencies.length / seconds);
  record('p50 ms', 'less', percentile(latencies, 0.5));
  record('p99 ms', 'less', percentile(latencies, 0.99));
  record(`CPU us/${unit}`, 'less', cpu / latencies.length);
}

/** Opens connections with a session each, calls for some seconds, and closes the sessions. */
export async function runCalls(
  context: MeasureContext,
  measure: string,
  server: ServerProcess,
  { connections: count, call, seconds }: Pick<CallLoad, 'connections' | 'call' | 'seconds'>,
): Promise<RoundFigures> {
  return withClients(server, count, async (clients) => {
    const sessions = await Promise.all(clients.map((client) => client.openSession()));
    const calls = sessions.map((session) => session.prepare(call));
    const latencies: number[] = [];
    const onError = (error: unknown) => context.fault(measure, server.name, error);
    await callFor(RAMP_UP_SECONDS, { calls, latencies: [], onError });
    const usage = await measureUsage(context, measure, server, () => callFor(seconds, { calls, latencies, onError }));
    await Promise.all(sessions.map((session) => session.close()));
    return { latencies, ...usage };
  });
}

interface RunningCalls {
  /** The call of each session. */
  calls: readonly PreparedCall[];
  /** Receives the latency of each call in milliseconds. */
  latencies: number[];
  onError: (error: unknown) => void;
}

/** Calls sequentially in every session until the time is over. */
export async function callFor(seconds: number, { calls, latencies, onError }: RunningCalls): Promise<void> {
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    calls.map(async (call) => {
      for (let from = performance.now(); from < end; ) {
        const response = await call.send();
        const now = performance.now();
        latencies.push(now - from);
        try {
          call.check(response);
        } catch (error) {
          onError(error);
        }
        from = now;
      }
    }),
  );
}

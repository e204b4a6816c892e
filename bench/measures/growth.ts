import { openSessions, playEpisodes, submit, withClients } from '../load/protocol.ts';
import { ours, type ServerSize } from '../process/contestants.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { runCalls } from './calls.ts';
import { playFor } from './episodes.ts';
import { type Measure, type MeasureContext, measureUsage, runRounds, withServers } from './measure.ts';

const measure = 'growth';
const CLIENTS = 32;
/**
 * Enough for V8 to compile the code of all servers: the compiled code of a server improves with the work that it does.
 */
const WARM_UP_EPISODES = 4000;

interface Variant {
  name: string;
  size: ServerSize;
  /** Index of the task that is played. */
  index: number;
  /** Number of idle sessions. */
  sessions: number;
}

/** The first variant is the baseline of the others. */
const variants: readonly Variant[] = [
  { name: 'one of each', size: {}, index: 0, sessions: 0 },
  { name: '100 environments', size: { environments: 100 }, index: 0, sessions: 0 },
  { name: '200 tools', size: { tools: 200 }, index: 0, sessions: 0 },
  { name: '1,000,000 tasks', size: { tasks: 1_000_000 }, index: 999_999, sessions: 0 },
  { name: '10,000 sessions', size: {}, index: 0, sessions: 10_000 },
];

/**
 * CPU time of our server with many environments, tools, tasks or sessions, relative to one of each: it must not grow.
 */
export const growth: Measure = {
  name: measure,
  about:
    'CPU per call and episode with 100 environments, 200 tools, 1,000,000 tasks or 10,000 sessions, relative to one of each',
  run: async (context) => {
    if (!context.contestants.some(({ name }) => name === 'ours')) return;
    const contestants = variants.map(({ name, size }) => ({ name, ...ours(size) }));
    await withServers({ ...context, contestants }, measure, (servers) => measureAll(context, servers));
  },
};

async function measureAll(context: MeasureContext, servers: readonly ServerProcess[]): Promise<void> {
  for (const server of servers) {
    const { sessions = 0 } = variantOf(server) ?? {};
    context.progress(`${measure}, ${server.name}, warm-up`);
    await withClients(server, CLIENTS, async (clients) => {
      await playEpisodes(clients, WARM_UP_EPISODES);
      await openSessions(clients, sessions);
    });
  }
  const costs: { name: string; round: number; call: number; episode: number }[] = [];
  const seconds = context.quick ? 0.4 : 0.75;
  const plan = { rounds: context.quick ? 3 : 12, runners: servers, warmUp: true, timeoutSeconds: 60 };
  await runRounds(context, measure, plan, async (server, round) => {
    const calls = await runCalls(context, measure, server, { connections: CLIENTS, call: submit, seconds });
    const episode = await cpuPerEpisode(context, server, seconds);
    if (round > 0) costs.push({ name: server.name, round, call: calls.cpu / calls.latencies.length, episode });
  });
  for (const { name, round, call, episode } of costs) {
    const baseline = costs.find((other) => other.round === round && other.name === variants[0]?.name);
    if (baseline === undefined || name === baseline.name) continue;
    const record = (what: string, value: number) =>
      context.record({ measure, name: `${what}, ${name}, relative to one`, better: 'less' }, 'ours', value);
    record('CPU/call', call / baseline.call);
    record('CPU/episode', episode / baseline.episode);
  }
}

const variantOf = ({ name }: ServerProcess): Variant | undefined => variants.find((variant) => variant.name === name);

async function cpuPerEpisode(context: MeasureContext, server: ServerProcess, seconds: number): Promise<number> {
  const durations: number[] = [];
  const task = { index: variantOf(server)?.index ?? 0 };
  const onError = (error: unknown) => context.fault(measure, server.name, error);
  const { cpu } = await withClients(server, CLIENTS, (clients) =>
    measureUsage(context, measure, server, () => playFor(seconds, { clients, durations, onError, task })),
  );
  return cpu / durations.length;
}

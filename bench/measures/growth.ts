import { withConnections } from '../load/connection.ts';
import { openEpisodes, playEpisodes, submit } from '../load/episode.ts';
import { ours, type Shape } from '../process/contestants.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { callRound } from './calls.ts';
import { playFor } from './episodes.ts';
import { type Bench, inRounds, type Measure, timed, withServers } from './measure.ts';

const measure = 'growth';
const clients = 32;
/** A server that has done more work is better compiled: by then all are. */
const warmUpEpisodes = 4000;

interface Variant {
  name: string;
  shape: Shape;
  /** The task that is played. */
  index: number;
  /** Sessions that do nothing beside those that are measured. */
  sessions: number;
}

/** The first is what the others are held against. */
const variants: readonly Variant[] = [
  { name: 'one of each', shape: {}, index: 0, sessions: 0 },
  { name: '100 environments', shape: { environments: 100 }, index: 0, sessions: 0 },
  { name: '200 tools', shape: { tools: 200 }, index: 0, sessions: 0 },
  { name: '1,000,000 tasks', shape: { tasks: 1_000_000 }, index: 999_999, sessions: 0 },
  { name: '10,000 sessions', shape: {}, index: 0, sessions: 10_000 },
];

/** What a call and an episode cost our server where there is much of something, beside little: the cost must not grow. */
export const growth: Measure = {
  name: measure,
  about:
    'CPU per call and episode with 100 environments, 200 tools, 1,000,000 tasks, 10,000 sessions, beside one of each',
  run: async (bench) => {
    if (!bench.contestants.some(({ name }) => name === 'ours')) return;
    const contestants = variants.map(({ name, shape }) => ({ name, ...ours(shape) }));
    await withServers({ ...bench, contestants }, measure, (servers) => measureAll(bench, servers));
  },
};

async function measureAll(bench: Bench, servers: readonly ServerProcess[]): Promise<void> {
  for (const server of servers) {
    const { sessions = 0 } = variantOf(server) ?? {};
    bench.progress(`${measure}, ${server.name}, warm-up`);
    await withConnections(server.port, clients, async (connections) => {
      await playEpisodes(connections, warmUpEpisodes);
      await openEpisodes(connections, sessions);
    });
  }
  const found: { name: string; round: number; call: number; episode: number }[] = [];
  const seconds = bench.quick ? 0.4 : 0.75;
  const plan = { rounds: bench.quick ? 3 : 12, runners: servers, warmUp: true, limitSeconds: 60 };
  await inRounds(bench, measure, plan, async (server, round) => {
    const calls = await callRound(bench, measure, server, { connections: clients, call: submit, seconds });
    const episode = await cpuPerEpisode(bench, server, seconds);
    if (round > 0) found.push({ name: server.name, round, call: calls.cpu / calls.latencies.length, episode });
  });
  for (const { name, round, call, episode } of found) {
    const base = found.find((other) => other.round === round && other.name === variants[0]?.name);
    if (base === undefined || name === base.name) continue;
    const record = (what: string, value: number) =>
      bench.record({ measure, name: `${what}, ${name}, through one`, better: 'less' }, 'ours', value);
    record('CPU/call', call / base.call);
    record('CPU/episode', episode / base.episode);
  }
}

const variantOf = ({ name }: ServerProcess): Variant | undefined => variants.find((variant) => variant.name === name);

async function cpuPerEpisode(bench: Bench, server: ServerProcess, seconds: number): Promise<number> {
  const durations: number[] = [];
  const task = { index: variantOf(server)?.index ?? 0 };
  const onWrong = (error: unknown) => bench.fault(measure, server.name, error);
  const { cpu } = await withConnections(server.port, clients, (connections) =>
    timed(bench, measure, server, () => playFor(seconds, { connections, durations, onWrong, task })),
  );
  return cpu / durations.length;
}

import { WrongAnswer } from '../load/answers.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { callRequest, closeEpisode, openEpisode } from '../load/episode.ts';
import { median, percentile } from '../load/statistics.ts';
import { type Bench, inRounds, type Measure, withServers } from '../measures/measure.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { computeBeside } from './computing-process.ts';
import { holdCall } from './held-call.ts';
import { heartbeatMs } from './modes.ts';
import { observe, type Waits } from './observe.ts';

/** What a tool that computes may add to the answers of /health where it runs in a worker. */
const markMs = 50;

/**
 * What others wait for while a tool lets nothing else run in its thread; beside it the same while nothing computes, and
 * while another process does, which is what a busy core costs by itself.
 */
export const delays: Measure = {
  name: 'delays',
  about: 'what others wait for while a tool computes: /health, a call and the heartbeats of another session',
  run: (bench) =>
    withServers(bench, 'delays', async (servers) => {
      const seconds = bench.quick ? 2 : 5;
      const plan = { rounds: bench.quick ? 3 : 5, runners: servers, warmUp: true, limitSeconds: seconds * 8 + 30 };
      const isOnOneCore = !bench.contestants.every(({ usesAllCores }) => usesAllCores);
      const added = new Map<string, Added[]>();
      await inRounds(bench, 'delays', plan, async (server, round) => {
        const figures = await playRound(server, round === 0 ? 1 : seconds, isOnOneCore);
        if (round === 0) return;
        record(bench, server.name, figures);
        added.set(server.name, [...(added.get(server.name) ?? []), addedBy(figures)]);
      });
      for (const [name, rounds] of added) if (name !== 'inline') noteMark(bench, name, rounds);
    }),
};

interface Figures {
  seconds: number;
  idle: Waits;
  /** While another process computes. */
  beside: Waits;
  /** While a tool computes. */
  busy: Waits;
  /** The longest silence of the stream of that tool's call, in milliseconds. */
  ownSilence: number;
}

async function playRound(server: ServerProcess, seconds: number, isOnOneCore: boolean): Promise<Figures> {
  const { name, port } = server;
  return withConnections(port, 1, async ([connection]) => {
    const client = connection as Connection;
    const [blocked, other] = [await openEpisode(client), await openEpisode(client)];
    if (name !== 'inline') await requireNeighbours(client, blocked, other);
    const idle = await observe(server, other, seconds, async () => undefined);
    const beside = await observe(server, other, seconds, () => computeBeside(seconds, isOnOneCore));
    let ownSilence = Number.NaN;
    const busy = await observe(server, other, seconds, async () => {
      ownSilence = await holdCall(port, blocked, 'compute', seconds).longestSilence;
    });
    for (const sid of [blocked, other]) await closeEpisode(client, sid);
    return { seconds, idle, beside, busy, ownSilence };
  });
}

/** In the same worker the two would wait for each other, which is not what is measured. */
async function requireNeighbours(client: Connection, blocked: string, other: string): Promise<void> {
  const threads: string[] = [];
  for (const sid of [blocked, other]) {
    const { body } = await client.send(callRequest(sid, 'thread', {}));
    threads.push(/"text":"(\d+)"/.exec(body)?.[1] ?? body);
  }
  if (threads[0] === threads[1]) throw new WrongAnswer(`both sessions live in thread ${threads[0]}`);
}

function record(bench: Bench, name: string, { seconds, idle, beside, busy, ownSilence }: Figures): void {
  const put = (measure: string, what: string, value: number) =>
    bench.record({ measure, name: what, better: 'less' }, name, value);
  const computing = `a tool computes for ${seconds} s`;
  putWaits((what, value) => put('nothing computes', what, value), idle);
  putWaits((what, value) => put(`another process computes for ${seconds} s`, what, value), beside);
  putWaits((what, value) => put(computing, what, value), busy);
  put(computing, `its own stream, longest silence ms (ideal ${heartbeatMs})`, ownSilence);
}

function putWaits(put: (what: string, value: number) => void, { health, calls, silence, waitedForCore }: Waits): void {
  for (const [what, values] of [['/health', health] as const, ["another session's call", calls] as const]) {
    put(`${what}, p50 ms`, percentile(values, 0.5));
    put(`${what}, p99 ms`, percentile(values, 0.99));
    put(`${what}, at most ms`, percentile(values, 1));
  }
  put(`another session's stream, longest silence ms (ideal ${heartbeatMs})`, silence);
  put("the server's thread waits for a core, ms/s", waitedForCore);
}

/** What was added to the p99 of /health in one round, in milliseconds. */
interface Added {
  byTool: number;
  byProcess: number;
}

function addedBy({ idle, beside, busy }: Figures): Added {
  const [before, byProcess = 0, byTool = 0] = [idle, beside, busy].map(({ health }) => percentile(health, 0.99));
  return { byTool: byTool - (before ?? 0), byProcess: byProcess - (before ?? 0) };
}

function noteMark(bench: Bench, mode: string, rounds: readonly Added[]): void {
  const byTool = rounds.map((round) => round.byTool);
  const [most, byProcess] = [Math.max(...byTool), median(rounds.map((round) => round.byProcess))];
  bench.note(
    `Mode '${mode}': a tool that computes adds ${median(byTool).toFixed(1)} ms to the p99 of /health (at most ` +
      `${most.toFixed(1)}), another process ${byProcess.toFixed(1)}. The mark is ${markMs} ms: ` +
      `${median(byTool) < markMs ? 'held' : 'MISSED'}.`,
  );
}

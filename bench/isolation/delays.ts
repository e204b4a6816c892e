import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { UnexpectedResponseError } from '../load/assertions.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { callRequest, closeEpisode, openEpisode } from '../load/ors.ts';
import { type Measure, type MeasureContext, runRounds, withServers } from '../measures/measure.ts';
import { pinToServerCore } from '../process/pinning.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { median, percentile } from '../statistics.ts';
import { type Latencies, measureLatencies, openLongCall } from './latency.ts';
import { HEARTBEAT_MS } from './modes.ts';

/** Limit of the latency that a CPU-bound tool in a worker may add to /health. */
const MAX_ADDED_MS = 50;

/**
 * Latencies of other requests while a tool blocks its thread; for comparison while the server is idle, and while
 * another process computes, which shows the cost of a busy core.
 */
export const delays: Measure = {
  name: 'delays',
  about: 'latencies while a tool computes: of /health, and of calls and heartbeats of another session',
  run: (context) =>
    withServers(context, 'delays', async (servers) => {
      const seconds = context.quick ? 2 : 5;
      const rounds = context.quick ? 3 : 5;
      const plan = { rounds, runners: servers, warmUp: true, timeoutSeconds: seconds * 8 + 30 };
      const isOnOneCore = !context.contestants.every(({ usesAllCores }) => usesAllCores);
      const added = new Map<string, AddedLatency[]>();
      await runRounds(context, 'delays', plan, async (server, round) => {
        const figures = await runRound(server, round === 0 ? 1 : seconds, isOnOneCore);
        if (round === 0) return;
        record(context, server.name, figures);
        added.set(server.name, [...(added.get(server.name) ?? []), addedLatency(figures)]);
      });
      for (const [name, list] of added) if (name !== 'inline') noteAddedLatency(context, name, list);
    }),
};

interface RoundFigures {
  seconds: number;
  idle: Latencies;
  /** While another process computes. */
  duringProcess: Latencies;
  /** While a tool computes. */
  duringTool: Latencies;
  /** The longest gap in the stream of the tool that computes, in milliseconds. */
  ownGap: number;
}

async function runRound(server: ServerProcess, seconds: number, isOnOneCore: boolean): Promise<RoundFigures> {
  const { name, port } = server;
  return withConnections(port, 1, async ([connection]) => {
    const client = connection as Connection;
    const [blocked, other] = [await openEpisode(client), await openEpisode(client)];
    if (name !== 'inline') await assertDifferentThreads(client, blocked, other);
    const idle = await measureLatencies(server, other, seconds, async () => undefined);
    const duringProcess = await measureLatencies(server, other, seconds, () => computeInProcess(seconds, isOnOneCore));
    let ownGap = Number.NaN;
    const duringTool = await measureLatencies(server, other, seconds, async () => {
      ownGap = await openLongCall(port, blocked, 'compute', seconds).longestGap;
    });
    for (const sid of [blocked, other]) await closeEpisode(client, sid);
    return { seconds, idle, duringProcess, duringTool, ownGap };
  });
}

/** Asserts that the sessions are in different workers; in the same one they would block each other. */
async function assertDifferentThreads(client: Connection, blocked: string, other: string): Promise<void> {
  const threads: string[] = [];
  for (const sid of [blocked, other]) {
    const { body } = await client.send(callRequest(sid, 'thread', {}));
    threads.push(/"text":"(\d+)"/.exec(body)?.[1] ?? body);
  }
  if (threads[0] === threads[1]) throw new UnexpectedResponseError(`both sessions are in thread ${threads[0]}`);
}

/** Keeps a core busy from another process: the server's core if the server is pinned to one. */
async function computeInProcess(seconds: number, isOnServerCore: boolean): Promise<void> {
  const line = [process.execPath, '-e', `for (const end = Date.now() + ${seconds * 1000}; Date.now() < end; );`];
  const [command, ...args] = isOnServerCore ? pinToServerCore(line) : line;
  const child = spawn(command ?? process.execPath, args, { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the computing process exited with ${code}`);
}

function record(context: MeasureContext, name: string, figures: RoundFigures): void {
  const { seconds, idle, duringProcess, duringTool, ownGap } = figures;
  const put = (measure: string, what: string, value: number) =>
    context.record({ measure, name: what, better: 'less' }, name, value);
  const computing = `a tool computes for ${seconds} s`;
  recordLatencies((what, value) => put('idle server', what, value), idle);
  recordLatencies((what, value) => put(`another process computes for ${seconds} s`, what, value), duringProcess);
  recordLatencies((what, value) => put(computing, what, value), duringTool);
  put(computing, `its own stream, longest gap ms (ideal ${HEARTBEAT_MS})`, ownGap);
}

function recordLatencies(
  put: (what: string, value: number) => void,
  { health, calls, gap, runQueue }: Latencies,
): void {
  for (const [what, values] of [['/health', health] as const, ["another session's call", calls] as const]) {
    put(`${what}, p50 ms`, percentile(values, 0.5));
    put(`${what}, p99 ms`, percentile(values, 0.99));
    put(`${what}, max ms`, percentile(values, 1));
  }
  put(`another session's stream, longest gap ms (ideal ${HEARTBEAT_MS})`, gap);
  put("the server's thread waits for a core, ms/s", runQueue);
}

/** Milliseconds added to the p99 of /health in one round. */
interface AddedLatency {
  byTool: number;
  byProcess: number;
}

function addedLatency({ idle, duringProcess, duringTool }: RoundFigures): AddedLatency {
  const p99 = ({ health }: Latencies) => percentile(health, 0.99);
  return { byTool: p99(duringTool) - p99(idle), byProcess: p99(duringProcess) - p99(idle) };
}

function noteAddedLatency(context: MeasureContext, mode: string, rounds: readonly AddedLatency[]): void {
  const byTool = rounds.map((round) => round.byTool);
  const byProcess = median(rounds.map((round) => round.byProcess));
  context.note(
    `Mode '${mode}': a tool that computes adds ${median(byTool).toFixed(1)} ms to the p99 of /health (max ` +
      `${Math.max(...byTool).toFixed(1)}), another process ${byProcess.toFixed(1)} ms. The limit of ${MAX_ADDED_MS} ms is ` +
      `${median(byTool) < MAX_ADDED_MS ? 'met' : 'NOT MET'}.`,
  );
}

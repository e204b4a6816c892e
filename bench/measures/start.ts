import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { assertOk } from '../load/assertions.ts';
import { Connection, httpRequest } from '../load/connection.ts';
import { playEpisode, withClients } from '../load/protocol.ts';
import type { Contestant } from '../process/contestants.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import { type Measure, type MeasureContext, runRounds } from './measure.ts';

const measure = 'start';
/** Time after the first response in which a server loads what it did not need until then. */
const LOADING_MS = 10_000;
/** Rounds in which that time is watched. */
const WATCHED_ROUNDS = 3;
const HEALTH_INTERVAL_MS = 5;

/** From the start of the process to its first response, and to the end of its first episode. */
export const start: Measure = {
  name: measure,
  about: 'milliseconds from the start of a process to its first response, and to the end of its first episode',
  run: async (context) => {
    const plan = { rounds: context.quick ? 2 : 9, runners: context.contestants, warmUp: true, timeoutSeconds: 60 };
    await runRounds(context, measure, plan, (contestant, round) => startOnce(context, contestant, round));
  },
};

async function startOnce(context: MeasureContext, contestant: Contestant, round: number): Promise<void> {
  const record = (name: string, value: number) =>
    context.record({ measure, name, better: 'less' }, contestant.name, value);
  await using server = await startServer(contestant);
  const isOurs = contestant.name === 'ours';
  if (isOurs && round > 0 && round <= WATCHED_ROUNDS) {
    record('longest response of /health in the first 10 s, ms', await longestHealthMs(server));
    return;
  }
  const from = performance.now();
  await withClients(server, 1, async ([client]) => client && playEpisode(client));
  const firstEpisodeMs = performance.now() - from;
  if (round === 0) return;
  record('ms to first response', server.startupMs);
  record('ms to end of first episode', server.startupMs + firstEpisodeMs);
  record('RSS MB', server.memory() / 1e6);
  if (isOurs) record('`ors --help`, CPU ms', commandCpuMs(['dist/src/cli/main.js', '--help']));
}

/** Requests `/health` again and again, and returns the time of the slowest response in milliseconds. */
async function longestHealthMs({ port }: ServerProcess): Promise<number> {
  const connection = await Connection.open(port);
  let longest = 0;
  try {
    for (const end = performance.now() + LOADING_MS; performance.now() < end; await sleep(HEALTH_INTERVAL_MS)) {
      const from = performance.now();
      assertOk(await connection.send(httpRequest('GET', '/health')), 'health');
      longest = Math.max(longest, performance.now() - from);
    }
  } finally {
    connection.close();
  }
  return longest;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the CPU time of a Node program with all its processes, in milliseconds, as a shell counts it. */
function commandCpuMs(args: readonly string[]): number {
  const script = '"$@" >/dev/null; times';
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', process.execPath, ...args], { cwd: root, encoding: 'utf8' });
  const [, children = ''] = stdout.split('\n');
  const times = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  if (times.length !== 2) throw new Error(`unexpected output of times: ${stdout}`);
  return times.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1_000, 0);
}

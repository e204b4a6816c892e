import { playEpisodes, withClients } from '../load/protocol.ts';
import { type MeasureContext, runRounds } from '../measures/measure.ts';
import { isBuilt, NOT_BUILT } from '../process/compile.ts';
import { ours } from '../process/contestants.ts';
import { openFileLimit } from '../process/proc.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { startClient } from './client-process.ts';
import { compileProgram } from './client-programs.ts';
import { FILES_PER_EPISODE, OTHER_FILES } from './many-at-once.ts';
import type { RolloutJob, RolloutJobResult } from './programs/rollouts.ts';

/** The load generator without a client, the client, a run, and a run that is recorded in a trace store on SQLite. */
export const rolloutNames = ['load', 'client', 'run', 'recorded'] as const;

/** Concurrent episodes of the load generator, and of what precedes a measured round. */
const LOAD_CLIENTS = 32;
const WARM_UP_EPISODES = 1_000;

/** Measures runs of many episodes with an agent that answers at once: server on one core, everything else on the other. */
export async function measureRollouts(context: MeasureContext): Promise<void> {
  if (!['ors-kit/client', 'ors-kit/rollout', 'ors-kit/trace/server'].every(isBuilt))
    return context.note(`${NOT_BUILT}.`);
  const plan = context.quick
    ? { rounds: 2, sizes: [{ atOnce: 32, count: 500 }] }
    : {
        rounds: 4,
        sizes: [
          { atOnce: 32, count: 4_000 },
          { atOnce: 5_000, count: 10_000 },
        ],
      };
  using folder = createTemporaryFolder();
  const program = compileProgram('rollouts');
  for (const { atOnce, count } of plan.sizes) {
    const measure = `rollouts, ${atOnce.toLocaleString('en')} at once`;
    const files = atOnce * FILES_PER_EPISODE + OTHER_FILES;
    if (openFileLimit('self') < files) {
      context.note(`${measure} was skipped: it needs ${files} open files (\`ulimit -n ${files}\`).`);
      continue;
    }
    const runners = rolloutNames.map((name) => ({ name }));
    const rounds = { rounds: plan.rounds, runners, warmUp: true, timeoutSeconds: 120 };
    await runRounds(context, measure, rounds, async ({ name }, round) => {
      await using server = await startServer({ name: 'ours', ...ours() });
      const path = folder.path(`${atOnce}-${round}-${name}`);
      const { seconds, cpu } =
        name === 'load'
          ? await playWithoutClient(server, count)
          : await playWith(program, server, { way: name, count, atOnce, path });
      if (round === 0) return;
      context.record({ measure, name: 'episodes/s', better: 'more' }, name, count / seconds);
      context.record({ measure, name: 'CPU us/episode, without the server', better: 'less' }, name, cpu / count);
    });
  }
}

function playWithoutClient(server: ServerProcess, count: number): Promise<RolloutJobResult> {
  return withClients(server, LOAD_CLIENTS, async (clients) => {
    await playEpisodes(clients, WARM_UP_EPISODES);
    const cpuBefore = process.cpuUsage();
    const from = performance.now();
    await playEpisodes(clients, count);
    const seconds = (performance.now() - from) / 1_000;
    const { user, system } = process.cpuUsage(cpuBefore);
    return { seconds, cpu: user + system };
  });
}

/** Plays in a separate process that has been warmed up. */
async function playWith(program: string, server: ServerProcess, job: RolloutJob): Promise<RolloutJobResult> {
  await using player = startPlayer(program, server);
  await player.run(warmUpFor(job));
  return await player.run(job);
}

/** Starts a process without a TypeScript loader that plays. */
export const startPlayer = (program: string, { port }: ServerProcess, nodeFlags: readonly string[] = []) =>
  startClient<RolloutJob, RolloutJobResult>(
    {
      name: 'player',
      command: process.execPath,
      args: ['--disable-warning=ExperimentalWarning', ...nodeFlags, program],
    },
    port,
  );

export const warmUpFor = (job: RolloutJob): RolloutJob => ({
  ...job,
  count: WARM_UP_EPISODES,
  atOnce: LOAD_CLIENTS,
  path: `${job.path}-warm-up`,
});

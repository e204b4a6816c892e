import { compileProgram } from '../clients/client-programs.ts';
import type { RolloutJob } from '../clients/programs/rollouts.ts';
import { startPlayer, warmUpFor } from '../clients/rollouts.ts';
import { ours } from '../process/contestants.ts';
import { preloadFlags, startServer } from '../process/server-process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { profileWhile, type RecordedProfile } from './record-profile.ts';

export interface RunLoad {
  readonly way: RolloutJob['way'];
  readonly seconds: number;
  readonly atOnce: number;
}

/** Records a process that plays episodes: with our client, or as a run that is recorded in a trace store or not. */
export async function recordRunProfile({ way, seconds, atOnce }: RunLoad): Promise<RecordedProfile> {
  using folder = createTemporaryFolder();
  await using server = await startServer({ name: 'ours', ...ours() });
  await using player = startPlayer(compileProgram('rollouts'), server, preloadFlags('profiler'));
  const job = { way, atOnce, count: 0, path: folder.path('run') };
  const warmUp = warmUpFor(job);
  const { seconds: warmUpSeconds } = await player.run(warmUp);
  const count = Math.max(atOnce, Math.ceil((warmUp.count / warmUpSeconds) * seconds));
  let cpu = 0;
  const profile = await profileWhile(player.child, async () => {
    ({ cpu } = await player.run({ ...job, count }));
  });
  return { profile, count, cpu };
}

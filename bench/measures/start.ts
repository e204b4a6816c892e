import { playEpisode, withClients } from '../load/protocol.ts';
import type { Contestant } from '../process/contestants.ts';
import { startServer } from '../process/server-process.ts';
import { type Measure, type MeasureContext, runRounds } from './measure.ts';

const measure = 'start';

/** From the start of the process to its first response, and to the end of its first episode. */
export const start: Measure = {
  name: measure,
  about: 'milliseconds from the start of a process to its first response, and to the end of its first episode',
  run: async (context) => {
    const plan = { rounds: context.quick ? 2 : 9, runners: context.contestants, warmUp: true, timeoutSeconds: 60 };
    await runRounds(context, measure, plan, (contestant, round) => startOnce(context, contestant, round > 0));
  },
};

async function startOnce(context: MeasureContext, contestant: Contestant, isRecorded: boolean): Promise<void> {
  await using server = await startServer(contestant);
  const from = performance.now();
  await withClients(server, 1, async ([client]) => client && playEpisode(client));
  const firstEpisodeMs = performance.now() - from;
  if (!isRecorded) return;
  const record = (name: string, value: number) =>
    context.record({ measure, name, better: 'less' }, contestant.name, value);
  record('ms to first response', server.startupMs);
  record('ms to end of first episode', server.startupMs + firstEpisodeMs);
  record('RSS MB', server.memory() / 1e6);
}

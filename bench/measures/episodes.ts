import { UnexpectedResponseError } from '../load/assertions.ts';
import { type Connection, withConnections } from '../load/connection.ts';
import { playEpisode } from '../load/episode.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { recordRound } from './calls.ts';
import {
  type Measure,
  type MeasureContext,
  measureUsage,
  RAMP_UP_SECONDS,
  runGenerations,
  WARM_UP_SECONDS,
} from './measure.ts';

const measure = 'episodes';
const clients = 32;

/** Whole episodes of five requests: create_session, create, prompt, call, delete. */
export const episodes: Measure = {
  name: measure,
  about: `episodes per second and CPU per episode, with ${clients} clients`,
  run: (context) => {
    const seconds = context.quick ? 0.5 : 1.5;
    const plan = { count: context.quick ? 2 : 6, rounds: 2, timeoutSeconds: seconds + 30 };
    return runGenerations(context, measure, plan, (server, round) =>
      runRound(context, server, round === 0 ? WARM_UP_SECONDS : seconds, round > 0),
    );
  },
};

async function runRound(
  context: MeasureContext,
  server: ServerProcess,
  seconds: number,
  isRecorded: boolean,
): Promise<void> {
  const latencies: number[] = [];
  const onError = (error: unknown) => context.fault(measure, server.name, error);
  const usage = await withConnections(server.port, clients, async (connections) => {
    await playFor(RAMP_UP_SECONDS, { connections, durations: [], onError });
    return await measureUsage(context, measure, server, () =>
      playFor(seconds, { connections, durations: latencies, onError }),
    );
  });
  if (isRecorded) recordRound(context, measure, server, { latencies, ...usage }, 'episode');
}

interface RunningEpisodes {
  connections: readonly Connection[];
  /** Receives the duration of each correct episode in milliseconds. */
  durations: number[];
  onError: (error: unknown) => void;
  /** Task of all episodes. Default: the first one. */
  task?: { index: number };
}

/** Plays episodes sequentially on every connection until the time is over. */
export async function playFor(seconds: number, episodes: RunningEpisodes): Promise<void> {
  const end = performance.now() + seconds * 1000;
  await Promise.all(episodes.connections.map((connection) => playUntil(end, connection, episodes)));
}

async function playUntil(
  end: number,
  connection: Connection,
  { durations, onError, task }: RunningEpisodes,
): Promise<void> {
  for (let from = performance.now(); from < end; ) {
    try {
      await playEpisode(connection, task);
      durations.push(performance.now() - from);
    } catch (error) {
      if (!(error instanceof UnexpectedResponseError)) throw error;
      onError(error);
    }
    from = performance.now();
  }
}

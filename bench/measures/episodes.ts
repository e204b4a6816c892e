import { UnexpectedResponseError } from '../load/assertions.ts';
import { type ProtocolClient, playEpisode, type TaskSelector, withClients } from '../load/protocol.ts';
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
const CLIENTS = 32;

/**
 * Whole episodes of five requests: create_session, create, prompt, call, delete. In MCP these are initialize and its
 * notification, tools/list, tools/call, DELETE; in OpenEnv connect, reset, step, close.
 */
export const episodes: Measure = {
  name: measure,
  about: `episodes per second and CPU per episode, with ${CLIENTS} clients`,
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
  const usage = await withClients(server, CLIENTS, async (clients) => {
    await playFor(RAMP_UP_SECONDS, { clients, durations: [], onError });
    return await measureUsage(context, measure, server, () =>
      playFor(seconds, { clients, durations: latencies, onError }),
    );
  });
  if (isRecorded) recordRound(context, measure, server, { latencies, ...usage }, 'episode');
}

interface RunningEpisodes {
  clients: readonly ProtocolClient[];
  /** Receives the duration of each correct episode in milliseconds. */
  durations: number[];
  onError: (error: unknown) => void;
  /** Task of all episodes. Default: the first one. */
  task?: TaskSelector;
}

/** Plays episodes sequentially with every client until the time is over. */
export async function playFor(seconds: number, episodes: RunningEpisodes): Promise<void> {
  const end = performance.now() + seconds * 1000;
  await Promise.all(episodes.clients.map((client) => playUntil(end, client, episodes)));
}

async function playUntil(
  end: number,
  client: ProtocolClient,
  { durations, onError, task }: RunningEpisodes,
): Promise<void> {
  for (let from = performance.now(); from < end; ) {
    try {
      await playEpisode(client, task);
      durations.push(performance.now() - from);
    } catch (error) {
      if (!(error instanceof UnexpectedResponseError)) throw error;
      onError(error);
    }
    from = performance.now();
  }
}

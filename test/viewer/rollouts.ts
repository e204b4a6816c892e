import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OrsClient } from 'ors-kit/client';
import { type Agent, createRunFolder, openRunTraces, type RunPlan, randomAgent, rollout } from 'ors-kit/rollout';
import { serve } from 'ors-kit/server';
import { createTraceApiRequester, createTraceClient } from 'ors-kit/trace';
import { pino } from 'pino';
import { breaker, environments, guesser, oracle, trainee } from './players.ts';

/** Training run: four tasks of countdown with eight rollouts per step, which improve from step to step. */
export const TRAINING = 'countdown-training';

interface Played extends Pick<RunPlan, 'run' | 'environment' | 'split' | 'samples' | 'step'> {
  /** Number of tasks. */
  readonly tasks: number;
  readonly name: string;
  readonly agent: Agent;
  readonly turns?: number;
}

/**
 * Plays episodes of the example environments over HTTP and records them in a store: a training run, then other runs.
 */
export async function playRollouts(store: string, { steps = 6, others = true } = {}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'ors-kit-rollouts-'));
  const server = await serve(environments, { port: 0, log: pino({ level: 'silent' }) });
  try {
    await using client = new OrsClient(server.url);
    const runs = [...Array.from({ length: steps }, (_, step) => training(step, steps)), ...(others ? OTHERS : [])];
    for (const [number, run] of runs.entries()) await play(run, { client, store, folder: join(folder, `${number}`) });
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
}

const training = (step: number, steps: number): Played => ({
  ...{ run: TRAINING, environment: 'countdown', split: 'train', tasks: 4, samples: 8, step, name: 'trainee' },
  agent: trainee(step, (step + 1) / (steps + 1)),
});

const OTHERS: readonly Played[] = [
  { run: 'maze-oracle', environment: 'maze', split: 'test', tasks: 2, samples: 1, name: 'oracle', agent: oracle },
  {
    ...{ run: 'maze-random', environment: 'maze', split: 'test', tasks: 2, samples: 4, turns: 8, name: 'random' },
    agent: randomAgent(),
  },
  { run: 'gsm8k-guesses', environment: 'gsm8k', split: 'test', tasks: 4, samples: 8, name: 'guesser', agent: guesser },
  { run: 'broken', environment: 'conformance', split: 'train', tasks: 2, samples: 8, name: 'breaker', agent: breaker },
];

interface Connections {
  readonly client: OrsClient;
  /** URL of the store. */
  readonly store: string;
  readonly folder: string;
}

async function play({ tasks, name, agent, turns = 100, ...run }: Played, connections: Connections): Promise<void> {
  const { client, store, folder: path } = connections;
  await using folder = await createRunFolder(path, {
    ...run,
    ...{ url: client.url, tasks: [{ start: 0, stop: tasks }], agent: name },
    ...{ limits: { turns, tokens: null, seconds: null }, reducer: 'sum', pass: 1 },
    ...{ started_at: new Date().toISOString(), settings: {} },
  });
  const api = createTraceApiRequester({
    url: store,
    apiKey: undefined,
    organization: 'default',
    fetch: globalThis.fetch,
  });
  await using traces = createTraceClient({ url: store });
  const { error } = await rollout({
    ...{ client, folder, agent, attempts: 1 },
    traces: openRunTraces(api, traces, run.run),
  });
  if (error !== undefined) throw error;
}

/** Plays many episodes with `OrsClient`, or as a run that is recorded or not. */
import { OrsClient } from 'ors-kit/client';
import { type Agent, createRunFolder, openRunTraces, type RolloutOptions, rollout } from 'ors-kit/rollout';
import { createClientForApi } from 'ors-kit/trace';
import { createLocalTraceApi, createTraceApi, openSqliteStore } from 'ors-kit/trace/server';
import { answerJobs } from './jobs.ts';

export interface RolloutJob {
  way: 'client' | 'run' | 'recorded';
  /** Number of episodes. */
  count: number;
  /** Number of concurrent ones. */
  atOnce: number;
  /** Folder for the run and its records, which does not exist. */
  path: string;
}

export interface RolloutJobResult {
  seconds: number;
  /** CPU time of the process in microseconds. */
  cpu: number;
}

const url = String(process.argv[2]);

const agent = (async (session) => {
  await session.prompt();
  await session.call('submit', { answer: '4' });
  return undefined;
}) satisfies Agent;

const WAYS: Readonly<Record<RolloutJob['way'], (job: RolloutJob) => Promise<void>>> = {
  client: playWithClient,
  run: (job) => playRun(job),
  recorded: playRecorded,
};

async function playWithClient({ count, atOnce }: RolloutJob): Promise<void> {
  await using client = new OrsClient(url);
  const environment = client.environment('bench');
  let left = count;
  const work = async () => {
    while (left-- > 0) {
      await using session = await environment.session({ split: 'test', index: 0 });
      await agent(session);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

async function playRun({ count, atOnce, path }: RolloutJob, options: Partial<RolloutOptions> = {}): Promise<void> {
  await using client = new OrsClient(url);
  await using folder = await createRunFolder(path, {
    run: 'bench',
    url,
    environment: 'bench',
    split: 'test',
    tasks: [{ start: 0, stop: 1 }],
    samples: count,
    agent: 'player',
    limits: { turns: 1, tokens: null, seconds: null },
    reducer: 'sum',
    pass: 1,
    started_at: new Date().toISOString(),
    settings: {},
  });
  const { results, error } = await rollout({ client, folder, agent, concurrency: atOnce, ...options });
  if (results.complete && results.reward.mean === 1) return;
  throw error ?? new Error(`the run is incomplete: ${JSON.stringify(results)}`);
}

async function playRecorded(job: RolloutJob): Promise<void> {
  await using store = await openSqliteStore({ path: `${job.path}.db` });
  const api = createLocalTraceApi(createTraceApi(store, { metrics: false }), 'default');
  await using traces = createClientForApi(api);
  await playRun(job, { traces: openRunTraces(api, traces, 'bench') });
}

await answerJobs(async (job: RolloutJob): Promise<RolloutJobResult> => {
  const cpuBefore = process.cpuUsage();
  const from = performance.now();
  await WAYS[job.way](job);
  const seconds = (performance.now() - from) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { seconds, cpu: user + system };
});

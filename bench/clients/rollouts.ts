import { OrsClient } from 'ors-kit/client';
import { type Agent, createRunFolder, openRunTraces, type RolloutOptions, rollout } from 'ors-kit/rollout';
import { createClientForApi } from 'ors-kit/trace';
import { createLocalTraceApi, createTraceApi, openSqliteStore } from 'ors-kit/trace/server';
import { playEpisodes, withClients } from '../load/protocol.ts';
import { type MeasureContext, runRounds } from '../measures/measure.ts';
import { ours } from '../process/contestants.ts';
import { openFileLimit } from '../process/proc.ts';
import { type ServerProcess, startServer } from '../process/server-process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { FILES_PER_EPISODE, OTHER_FILES } from './many-at-once.ts';

/** The load generator without a client, the client, a run, and a run that is recorded in a trace store on SQLite. */
export const rolloutNames = ['load', 'client', 'run', 'recorded'] as const;

/** Concurrent episodes, except those of the load generator, which always plays this number at once. */
const LOAD_CLIENTS = 32;

interface Episodes {
  readonly count: number;
  /** Number of concurrent ones. */
  readonly atOnce: number;
  /** Folder or file for records, new in each round. */
  readonly path: string;
}

type Play = (server: ServerProcess, episodes: Episodes) => Promise<void>;

const WAYS: Readonly<Record<(typeof rolloutNames)[number], Play>> = {
  load: (server, { count }) => withClients(server, LOAD_CLIENTS, (clients) => playEpisodes(clients, count)),
  client: playWithClient,
  run: (server, episodes) => playRun(server, episodes, {}),
  recorded: playRecorded,
};

/** Measures runs of many episodes with an agent that answers at once: server on one core, everything else on the other. */
export async function measureRollouts(context: MeasureContext): Promise<void> {
  const plan = context.quick
    ? { rounds: 2, sizes: [{ atOnce: 32, count: 500 }] }
    : {
        rounds: 6,
        sizes: [
          { atOnce: 32, count: 5_000 },
          { atOnce: 5_000, count: 15_000 },
        ],
      };
  using folder = createTemporaryFolder();
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
      await withClients(server, LOAD_CLIENTS, (clients) => playEpisodes(clients, 1_000));
      const cpuBefore = process.cpuUsage();
      const from = performance.now();
      await WAYS[name](server, { count, atOnce, path: folder.path(`${atOnce}-${round}-${name}`) });
      const seconds = (performance.now() - from) / 1_000;
      const { user, system } = process.cpuUsage(cpuBefore);
      if (round === 0) return;
      context.record({ measure, name: 'episodes/s', better: 'more' }, name, count / seconds);
      context.record(
        { measure, name: 'CPU us/episode, without the server', better: 'less' },
        name,
        (user + system) / count,
      );
    });
  }
}

const urlOf = ({ port }: ServerProcess) => `http://127.0.0.1:${port}`;

async function playWithClient(server: ServerProcess, { count, atOnce }: Episodes): Promise<void> {
  await using client = new OrsClient(urlOf(server));
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

const agent = (async (session) => {
  await session.prompt();
  await session.call('submit', { answer: '4' });
  return undefined;
}) satisfies Agent;

async function playRun(
  server: ServerProcess,
  { count, atOnce, path }: Episodes,
  options: Partial<RolloutOptions>,
): Promise<void> {
  const url = urlOf(server);
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

async function playRecorded(server: ServerProcess, episodes: Episodes): Promise<void> {
  await using store = await openSqliteStore({ path: `${episodes.path}.db` });
  const api = createLocalTraceApi(createTraceApi(store, { metrics: false }), 'default');
  await using traces = createClientForApi(api);
  await playRun(server, episodes, { traces: openRunTraces(api, traces, 'bench') });
}

/** Measures rollout runs relative to a bare client that plays the same episodes and keeps no records. */

import { OrsClient } from 'ors-kit/client';
import { type Agent, createRunFolder, openRunTraces, type RolloutOptions, rollout } from 'ors-kit/rollout';
import { createClientForApi } from 'ors-kit/trace';
import { createLocalTraceApi, createTraceApi, openSqliteStore } from 'ors-kit/trace/server';
import { errorMessage } from '../src/core/index.ts';
import { fail, readCommandLine, showProgress } from './command-line.ts';
import { ours } from './process/contestants.ts';
import { startServer } from './process/server-process.ts';
import { machineText } from './report.ts';
import { median } from './statistics.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

const help = `Usage: node --import tsx bench/rollouts.ts [--episodes <n>] [--at-a-time <n,n>] [--rounds <n>]

Plays episodes of one call (by default 2000; 32, 256 and 1000 at a time) in three ways, in turns: with a bare client, as a
run without traces, and as a run with a SQLite trace store. The server is a separate process, the rest shares one. Prints
episodes per second, the median of the rounds (3), and ratios to the bare client.

Example: node --import tsx bench/rollouts.ts --episodes 500 --at-a-time 32`;

const agent: Agent = async (session) => {
  await session.prompt();
  await session.tools();
  await session.call('submit', { answer: '4' });
  return undefined;
};

async function playBare(url: string, episodes: number, concurrency: number): Promise<void> {
  await using client = new OrsClient(url);
  const environment = client.environment('bench');
  let left = episodes;
  const work = async () => {
    while (left > 0) {
      left--;
      await using session = await environment.session({ split: 'test', index: 0 });
      await session.prompt();
      await session.tools();
      await session.call('submit', { answer: '4' });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function playRun(url: string, path: string, samples: number, options: Partial<RolloutOptions>): Promise<void> {
  await using client = new OrsClient(url);
  await using folder = await createRunFolder(path, {
    run: 'bench',
    url,
    environment: 'bench',
    split: 'test',
    tasks: [{ start: 0, stop: 1 }],
    samples,
    agent: 'player',
    limits: { turns: 1, tokens: null, seconds: null },
    reducer: 'sum',
    pass: 1,
    started_at: new Date().toISOString(),
    settings: {},
  });
  const { results, error } = await rollout({ client, folder, agent, ...options });
  if (!results.complete || results.reward.mean !== 1) {
    throw error ?? new Error(`the run is incomplete: ${JSON.stringify(results)}`);
  }
}

async function playRecorded(
  url: string,
  path: string,
  samples: number,
  options: Partial<RolloutOptions>,
): Promise<void> {
  await using store = await openSqliteStore({ path: `${path}.db` });
  const api = createLocalTraceApi(createTraceApi(store, { metrics: false }), 'default');
  await using traces = createClientForApi(api);
  await playRun(url, path, samples, { ...options, traces: openRunTraces(api, traces, 'bench') });
}

type Play = (url: string, path: string, episodes: number, concurrency: number) => Promise<void>;

const WAYS: Readonly<Record<'bare' | 'run' | 'recorded', Play>> = {
  bare: (url, _path, episodes, concurrency) => playBare(url, episodes, concurrency),
  run: (url, path, episodes, concurrency) => playRun(url, path, episodes, { concurrency }),
  recorded: (url, path, episodes, concurrency) => playRecorded(url, path, episodes, { concurrency }),
};

async function measure(episodes: number, concurrency: number, rounds: number): Promise<void> {
  const rates: Record<keyof typeof WAYS, number[]> = { bare: [], run: [], recorded: [] };
  using folder = createTemporaryFolder();
  for (let round = 0; round < rounds; round++) {
    for (const [name, play] of Object.entries(WAYS) as [keyof typeof WAYS, Play][]) {
      showProgress(`${concurrency} at a time, round ${round + 1} of ${rounds}: ${name}`);
      await using server = await startServer({ name: 'ours', ...ours() });
      const url = `http://127.0.0.1:${server.port}`;
      await playBare(url, Math.min(200, episodes), Math.min(32, concurrency));
      const since = performance.now();
      await play(url, folder.path(`${concurrency}-${round}-${name}`), episodes, concurrency);
      rates[name].push((episodes * 1_000) / (performance.now() - since));
    }
  }
  showProgress('');
  const [bare, run, recorded] = [median(rates.bare), median(rates.run), median(rates.recorded)];
  const cells = [
    String(concurrency).padStart(9),
    ...[bare, run, recorded].map((rate) => rate.toFixed(0).padStart(8)),
    (run / bare).toFixed(2).padStart(12),
    (recorded / bare).toFixed(2).padStart(12),
    (recorded / run).toFixed(2).padStart(15),
  ];
  console.log(cells.join(''));
}

const flags = {
  episodes: { type: 'string', default: '2000' },
  'at-a-time': { type: 'string', default: '32,256,1000' },
  rounds: { type: 'string', default: '3' },
} as const;

const options = readCommandLine(help, flags, (values) => ({
  episodes: Number(values.episodes),
  concurrencies: values['at-a-time'].split(',').map(Number),
  rounds: Number(values.rounds),
}));

if (options !== undefined) {
  console.log(`${machineText()}.\n`);
  console.log('at a time    bare     run recorded    run/bare  recorded/bare  recorded/run');
  try {
    for (const concurrency of options.concurrencies) await measure(options.episodes, concurrency, options.rounds);
  } catch (error) {
    fail(1, errorMessage(error));
  }
}

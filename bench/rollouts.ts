/** Measures whole runs beside a bare client that plays the same episodes and keeps nothing. */

import { parseArgs } from 'node:util';
import { OrsClient } from 'ors-kit/client';
import { type Agent, createRunFolder, openRunTraces, type RolloutOptions, rollout } from 'ors-kit/rollout';
import { createClientOver } from 'ors-kit/trace';
import { createLocalApi, createTraceApi, openSqliteStore } from 'ors-kit/trace/server';
import { errorMessage } from '../src/core/index.ts';
import { compiled } from './process/contestants.ts';
import { startServer } from './process/server-process.ts';
import { machineText } from './report.ts';
import { fail, showProgress } from './say.ts';
import { makeFolder } from './traces/folder.ts';

const help = `Usage: node --import tsx bench/rollouts.ts [--episodes <n>] [--at-a-time <n,n>] [--rounds <n>]

Plays episodes of one call (2000 by default; 32, 256 and 1000 at a time) three ways in turn: by a bare client, by a run
without traces, by a run with a SQLite store. The server is a process of its own; all else shares one. Episodes per second,
the median of the rounds (3), and ratios to the bare client.

Example: node --import tsx bench/rollouts.ts --episodes 500 --at-a-time 32`;

const player: Agent = async (session) => {
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
    for (; left > 0; ) {
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
    ...{ run: 'bench', url, environment: 'bench', split: 'test', tasks: [{ start: 0, stop: 1 }], samples },
    ...{ agent: 'player', limits: { turns: 1, tokens: null, seconds: null }, reducer: 'sum', pass: 1 },
    ...{ started_at: new Date().toISOString(), settings: {} },
  });
  const { results, stopped } = await rollout({ client, folder, agent: player, ...options });
  if (!results.complete || results.reward.mean !== 1)
    throw stopped ?? new Error(`not played: ${JSON.stringify(results)}`);
}

async function playRecorded(
  url: string,
  path: string,
  samples: number,
  options: Partial<RolloutOptions>,
): Promise<void> {
  await using store = await openSqliteStore({ path: `${path}.db` });
  const api = createLocalApi(createTraceApi(store, { metrics: false }), 'default');
  await using traces = createClientOver(api);
  await playRun(url, path, samples, { ...options, traces: openRunTraces(api, traces, 'bench') });
}

const WAYS = {
  bare: (url, _path, episodes, concurrency) => playBare(url, episodes, concurrency),
  run: (url, path, episodes, concurrency) => playRun(url, path, episodes, { concurrency }),
  recorded: (url, path, episodes, concurrency) => playRecorded(url, path, episodes, { concurrency }),
} satisfies Record<string, (url: string, path: string, episodes: number, concurrency: number) => Promise<void>>;

async function measure(episodes: number, concurrency: number, rounds: number): Promise<void> {
  const rates: Record<keyof typeof WAYS, number[]> = { bare: [], run: [], recorded: [] };
  using folder = makeFolder();
  for (let round = 0; round < rounds; round++) {
    for (const [name, playAll] of Object.entries(WAYS) as [keyof typeof WAYS, (typeof WAYS)['bare']][]) {
      showProgress(`${concurrency} at a time, round ${round + 1} of ${rounds}: ${name}`);
      await using server = await startServer({ name: 'ours', command: process.execPath, args: [compiled('ours')] });
      const url = `http://127.0.0.1:${server.port}`;
      await playBare(url, Math.min(200, episodes), Math.min(32, concurrency));
      const since = performance.now();
      await playAll(url, folder.path(`${concurrency}-${round}-${name}`), episodes, concurrency);
      rates[name].push((episodes * 1_000) / (performance.now() - since));
    }
  }
  showProgress('');
  const middle = (numbers: readonly number[]) =>
    numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0;
  const [bare, run, recorded] = [middle(rates.bare), middle(rates.run), middle(rates.recorded)];
  const shown = (rate: number) => rate.toFixed(0).padStart(8);
  console.log(
    `${String(concurrency).padStart(9)}${shown(bare)}${shown(run)}${shown(recorded)}` +
      `${(run / bare).toFixed(2).padStart(12)}${(recorded / bare).toFixed(2).padStart(12)}${(recorded / run).toFixed(2).padStart(15)}`,
  );
}

try {
  const { values } = parseArgs({
    options: {
      episodes: { type: 'string', default: '2000' },
      'at-a-time': { type: 'string', default: '32,256,1000' },
      rounds: { type: 'string', default: '3' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) console.log(help);
  else {
    console.log(`${machineText()}.\n`);
    console.log('at a time    bare     run recorded    run/bare  recorded/bare  recorded/run');
    for (const each of values['at-a-time'].split(','))
      await measure(Number(values.episodes), Number(each), Number(values.rounds));
  }
} catch (error) {
  fail(2, `${errorMessage(error)}\nSee --help.`);
}

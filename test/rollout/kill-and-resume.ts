import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { ORS, ors, type RunningCommand, startCommand } from '../support/command.ts';
import { newFolder } from '../trace/store/stores.ts';
import guess from './guess.mjs';

const MODULE = 'test/rollout/guess.mjs';
const SAMPLES = 4;

interface Kills {
  readonly kills: number;
  /** The run must be under way for as long as it is killed. */
  readonly tasks: number;
}

interface Survived {
  /** How many of the kills met a run that was under way. */
  readonly kills: number;
  readonly planned: number;
  /** `<task>/<sample>` of each line of rewards.jsonl, sorted. */
  readonly rewards: readonly string[];
  /** The ids of traces that rewards.jsonl names, and of those in the store, each sorted. */
  readonly named: readonly string[];
  readonly stored: readonly string[];
  /** What the store finds wrong with itself. */
  readonly problems: readonly unknown[];
  /** How the last command ended, and what it complained of. */
  readonly code: unknown;
  readonly stderr: string;
}

/** Plays a run with the oracle, by a command that is killed at random moments, and in the end is not. */
export async function killAndResume({ kills, tasks }: Kills): Promise<Survived> {
  await using server = await serve([guess], { port: 0, log: pino({ level: 'silent' }) });
  await using folder = await newFolder();
  const run = join(folder.path, 'run');
  const begin = ['rollout', server.url, '--split', 'test', '--agent', 'oracle', '--module', MODULE];
  const plan = ['--limit', String(tasks), '-n', String(SAMPLES), '--out', run];
  const how = ['--concurrency', '4'];
  let met = 0;
  for (let kill = 0; kill < kills; kill++) {
    const args = met === 0 ? [...begin, ...plan] : ['rollout', '--resume', run];
    await using command = startCommand([...ORS, ...args, ...how]);
    await untilWritten(command, join(run, 'rewards.jsonl'), await linesIn(run));
    await delay(Math.random() * 150);
    if (command.child.exitCode === null) met++;
    command.child.kill('SIGKILL');
    await command.result;
  }
  const { code, stderr } = await ors(['rollout', '--resume', run]);
  const rewards: { task: number; sample: number; trace_id: string }[] = (await readRows(run)).map((row) =>
    JSON.parse(row),
  );
  await using store = await openSqliteStore({ path: join(run, 'traces.db') });
  return {
    ...{ kills: met, planned: tasks * SAMPLES, code, stderr },
    rewards: rewards.map(({ task, sample }) => `${task}/${sample}`).sort(),
    named: rewards.map(({ trace_id }) => trace_id).sort(),
    stored: (await store.traces('default', { limit: 1000 })).items.map(({ id }) => id).sort(),
    problems: await store.verify(),
  };
}

const readRows = async (run: string): Promise<string[]> =>
  (await readFile(join(run, 'rewards.jsonl'), 'utf8').catch(() => '')).split('\n').slice(0, -1);

const linesIn = async (run: string): Promise<number> => (await readRows(run)).length;

/** Until the file has grown, or the run is over and lets it grow no more. */
async function untilWritten({ child }: RunningCommand, file: string, before: number): Promise<void> {
  const grown = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n').length - 1 > before;
  while (child.exitCode === null && !(await grown())) await delay(10);
}

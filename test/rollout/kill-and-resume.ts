import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serve } from 'ors-kit/server';
import { pino } from 'pino';
import { openSqliteStore } from '../../src/trace/store/index.ts';
import { ORS, ors, type RunningCommand, startCommand } from '../support/command.ts';
import { until } from '../support/until.ts';
import { newFolder } from '../trace/store/stores.ts';
import guess from './guess.mjs';

const MODULE = 'test/rollout/guess.mjs';
const SAMPLES = 4;

interface Kills {
  readonly kills: number;
  /** Number of tasks, large enough for the run to outlast all kills. */
  readonly tasks: number;
}

interface Survived {
  /** Number of kills that hit a running command. */
  readonly kills: number;
  readonly planned: number;
  /** `<task>/<sample>` of each line of rewards.jsonl, sorted. */
  readonly rewards: readonly string[];
  /** Trace ids in rewards.jsonl and in the store, both sorted. */
  readonly named: readonly string[];
  readonly stored: readonly string[];
  /** Problems that the store finds when it verifies itself. */
  readonly problems: readonly unknown[];
  /** Exit code and error output of the last command. */
  readonly code: unknown;
  readonly stderr: string;
}

/** Plays a run with the oracle: kills and resumes the command at random moments, then lets it complete. */
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
    kills: met,
    planned: tasks * SAMPLES,
    code,
    stderr,
    rewards: rewards.map(({ task, sample }) => `${task}/${sample}`).sort(),
    named: rewards.map(({ trace_id }) => trace_id).sort(),
    stored: (await store.traces('default', { limit: 1000 })).items.map(({ id }) => id).sort(),
    problems: await store.verify(),
  };
}

const readRows = async (run: string): Promise<string[]> =>
  (await readFile(join(run, 'rewards.jsonl'), 'utf8').catch(() => '')).split('\n').slice(0, -1);

const linesIn = async (run: string): Promise<number> => (await readRows(run)).length;

/** Waits until the file has grown or the command has ended. */
async function untilWritten({ child }: RunningCommand, file: string, before: number): Promise<void> {
  const grown = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n').length - 1 > before;
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  await until(async () => isOver() || (await grown()), 'another line of rewards.jsonl, or the end of the command');
}

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, errorMessage } from '../../core/index.ts';
import { createFile, type LineFile, lockFile, makeFolder, openLineFile, replaceFile } from '../../core/node/index.ts';
import type { EpisodeRecord, FailureRecord } from '../episode/episode-record.ts';
import { parseRunPlan } from './read-plan.ts';
import { parseEpisodeRecords, parseFailureRecords } from './read-rows.ts';
import type { RunPlan } from './run-plan.ts';
import type { RunResults } from './summarize.ts';

/**
 * A run on disk: `run.json` has the plan, `rewards.jsonl` each episode that ended, once, `failures.jsonl` each attempt
 * that failed, `results.json` the summary.
 */
export interface RunFolder extends AsyncDisposable {
  readonly path: string;
  readonly plan: RunPlan;
  /** What ended before. */
  readonly completed: readonly EpisodeRecord[];
  /** Attempts that failed before. */
  readonly failures: readonly FailureRecord[];
  /** Resolves when it is on disk. */
  addCompleted(record: EpisodeRecord): Promise<void>;
  addFailure(record: FailureRecord): Promise<void>;
  writeResults(results: RunResults): Promise<void>;
}

/** Makes the folder of a new run. @throws Error where there is one already, or it cannot be written. */
export async function createRunFolder(path: string, plan: RunPlan): Promise<RunFolder> {
  const file = join(path, 'run.json');
  let isNew: boolean;
  try {
    await makeFolder(path);
    isNew = await createFile(file, asJson({ ...plan, id: plan.id ?? randomUUID() }));
  } catch (cause) {
    throw new Error(`${file} cannot be written: ${errorMessage(cause)}; make room, or name another folder`, { cause });
  }
  if (!isNew) {
    throw new Error(`${path} has a run already; go on with it by --resume ${path}, or name another folder by --out`);
  }
  return openRunFolder(path);
}

/** Opens the folder of a run that is not under way. @throws Error where there is none, or another process has it. */
export async function openRunFolder(path: string): Promise<RunFolder> {
  const text = await readFile(join(path, 'run.json'), 'utf8').catch((error: unknown) => {
    throw new Error(`${path} has no run to go on with: ${errorMessage(error)}`);
  });
  const plan = parseRunPlan(text, join(path, 'run.json'));
  const told = <T>(work: () => Promise<T>, name: string) => orTold(work, path, name);
  const unlock = await told(() => lockFile(join(path, 'run'), 'wait until that has ended, or stop it'), 'run.lock');
  const files: LineFile[] = [];
  const openFile = async (name: string) => {
    const file = await told(() => openLineFile(join(path, name)), name);
    files.push(file);
    return file;
  };
  const close = async () => {
    for (const file of files) await file.close();
    await unlock();
  };
  let closed: Promise<void> | undefined;
  const leave = () => {
    closed ??= close();
    return closed;
  };
  try {
    const rewards = await openFile('rewards.jsonl');
    const failures = await openFile('failures.jsonl');
    return {
      ...{ path, plan },
      completed: parseEpisodeRecords(rewards.lines, join(path, 'rewards.jsonl'), plan),
      failures: parseFailureRecords(failures.lines, join(path, 'failures.jsonl')),
      addCompleted: (record) => told(() => rewards.append(JSON.stringify(record)), 'rewards.jsonl'),
      addFailure: (record) => told(() => failures.append(JSON.stringify(record)), 'failures.jsonl'),
      writeResults: (results) => told(() => replaceFile(join(path, 'results.json'), asJson(results)), 'results.json'),
      [Symbol.asyncDispose]: leave,
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Says which file the disk does not take, and that nothing is lost. */
async function orTold<T>(work: () => Promise<T>, path: string, name: string): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    const kept = 'every episode that is in rewards.jsonl is whole, and stays';
    const advice = `make room, then go on with: ors rollout --resume ${path}`;
    throw new Error(`${join(path, name)} cannot be written: ${errorMessage(cause)}; ${kept}; ${advice}`, { cause });
  }
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type LineFile, lockFile, openLineFile } from '../../files/index.ts';
import { isRecord, parseOrUndefined } from '../../protocol/index.ts';
import type { EpisodeRecord, FailureRecord } from '../episode/episode-record.ts';
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
  readonly ended: readonly EpisodeRecord[];
  /** Attempts that failed before. */
  readonly failures: readonly FailureRecord[];
  /** Resolves when it is on disk. */
  addEnded(record: EpisodeRecord): Promise<void>;
  addFailure(record: FailureRecord): Promise<void>;
  writeResults(results: RunResults): Promise<void>;
}

/** Makes the folder of a new run. @throws Error where there is one already. */
export async function createRunFolder(path: string, plan: RunPlan): Promise<RunFolder> {
  await mkdir(path, { recursive: true });
  try {
    await writeFile(join(path, 'run.json'), asJson(plan), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`${path} has a run already; go on with it by --resume ${path}, or name another folder by --out`);
  }
  return openRunFolder(path);
}

/** Opens the folder of a run that is not under way. @throws Error where there is none, or another process has it. */
export async function openRunFolder(path: string): Promise<RunFolder> {
  const plan = await readPlan(path);
  const unlock = await lockFile(join(path, 'run'), 'wait until that has ended, or stop it');
  const files: LineFile[] = [];
  const openFile = async (name: string) => {
    const file = await openLineFile(join(path, name));
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
      ended: rewards.lines.map((line, at) => readRecord<EpisodeRecord>(line, join(path, 'rewards.jsonl'), at)),
      failures: failures.lines.map((line, at) => readRecord<FailureRecord>(line, join(path, 'failures.jsonl'), at)),
      addEnded: (record) => rewards.append(JSON.stringify(record)),
      addFailure: (record) => failures.append(JSON.stringify(record)),
      writeResults: (results) => replace(join(path, 'results.json'), asJson(results)),
      [Symbol.asyncDispose]: leave,
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

async function readPlan(path: string): Promise<RunPlan> {
  const file = join(path, 'run.json');
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new Error(`${path} has no run to go on with: ${error.message}`);
  });
  const plan = parseOrUndefined(text);
  if (!isRecord(plan) || typeof plan.run !== 'string') throw new Error(`${file} is no plan of a run`);
  // It was written by createRunFolder.
  return plan as unknown as RunPlan;
}

function readRecord<R extends EpisodeRecord | FailureRecord>(line: string, file: string, at: number): R {
  const record = parseOrUndefined(line);
  if (isRecord(record) && Number.isSafeInteger(record.task) && Number.isSafeInteger(record.sample)) {
    // It was written by addEnded or addFailure.
    return record as unknown as R;
  }
  throw new Error(`line ${at + 1} of ${file} is no episode; take it away, and what it told is played again`);
}

/** All of it or what was there before. */
async function replace(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

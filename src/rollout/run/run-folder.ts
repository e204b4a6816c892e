import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, errorMessage, hasCode, withoutByteOrderMark } from '../../core/index.ts';
import { createFile, fileProblem, lockFile, makeFolder, replaceFile } from '../../core/node/index.ts';
import type { EpisodeRecord, FailureRecord } from '../episode/episode-record.ts';
import {
  type CandidateRecord,
  type GroupRecord,
  parseCandidateRecords,
  parseEpisodeRecords,
  parseFailureRecords,
  parseGroupRecords,
  parseRunPlan,
  type RunPlan,
} from './run-files.ts';
import type { RunResults } from './summarize.ts';

/**
 * Folder of a run: `run.json` has the plan, `rewards.jsonl` each episode that ended, `failures.jsonl` each failed attempt,
 * and `results.json` the summary. If the environment compares rollouts, `candidates.jsonl` has what is compared, and
 * `groups.jsonl` the rewards.
 *
 * @example
 * await using folder: RunFolder = await openRunFolder('runs/maze');
 * console.log(folder.plan.run, folder.completed.length);
 */
export interface RunFolder extends AsyncDisposable {
  readonly path: string;
  readonly plan: RunPlan;
  /** Episodes that ended before the folder was opened. */
  readonly completed: readonly EpisodeRecord[];
  /** Attempts that failed before the folder was opened. */
  readonly failures: readonly FailureRecord[];
  /** Comparisons before the folder was opened; the last one of a group is valid. */
  readonly groups: readonly GroupRecord[];
  /** Messages of episodes that can be compared, before the folder was opened; the last ones of an episode are valid. */
  readonly candidates: readonly CandidateRecord[];
  /** Resolves when the record is on disk. */
  addCompleted(record: EpisodeRecord): Promise<void>;
  /** Resolves when the record is on disk. */
  addFailure(record: FailureRecord): Promise<void>;
  /** Resolves when the record is on disk. */
  addGroup(record: GroupRecord): Promise<void>;
  /** Resolves when the record is on disk. */
  addCandidate(record: CandidateRecord): Promise<void>;
  /** Writes the summary of the run, and replaces an older one. */
  writeResults(results: RunResults): Promise<void>;
}

/**
 * Creates the folder of a new run.
 *
 * @throws Error if the folder already has a run, or cannot be written.
 * @example
 * await using folder = await createRunFolder('runs/maze', plan);
 */
export async function createRunFolder(path: string, plan: RunPlan): Promise<RunFolder> {
  const file = join(path, 'run.json');
  let isNew: boolean;
  try {
    await makeFolder(path);
    isNew = await createFile(file, formatJson({ ...plan, id: plan.id ?? randomUUID() }));
  } catch (cause) {
    const advice = 'or choose another folder with --out';
    throw new Error(`cannot write ${file}: ${fileProblem(cause, 'write')}, ${advice}`, { cause });
  }
  if (!isNew) {
    throw new Error(`${path} already has a run; resume it with --resume ${path}, or choose another folder with --out`);
  }
  return openRunFolder(path);
}

/**
 * Opens the folder of a run, and locks it against other processes.
 *
 * @throws Error if the folder contains no run, its files are invalid, or another process has locked it.
 * @example
 * await using folder = await openRunFolder('runs/maze');
 * const { results } = await rollout({ client, folder, agent });
 */
export async function openRunFolder(path: string): Promise<RunFolder> {
  const file = join(path, 'run.json');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const advice = 'pass the folder of a run, which has a file run.json';
    const reason = hasCode(error, 'ENOENT') ? `there is no file ${file}` : `cannot read ${file}: ${fileProblem(error)}`;
    throw new Error(`${path} has no run to resume: ${reason}; ${advice}`, { cause: error });
  });
  const plan = parseRunPlan(text, file);
  const explained = <T>(work: () => Promise<T>, name: string) => explainDiskErrors(work, path, name);
  const unlock = await explained(() => lockFile(join(path, 'run'), 'wait until it has ended, or stop it'), 'run.lock');
  const files: LineFile[] = [];
  const openFile = async (name: string) => {
    const file = await explained(() => openLineFile(join(path, name)), name);
    files.push(file);
    return file;
  };
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= (async () => {
      for (const file of files) await file.close();
      await unlock();
    })();
    return closed;
  };
  try {
    const rewards = await openFile('rewards.jsonl');
    const failures = await openFile('failures.jsonl');
    const groups = await openOptional(path, 'groups.jsonl', openFile);
    const candidates = await openOptional(path, 'candidates.jsonl', openFile);
    return {
      path,
      plan,
      completed: parseEpisodeRecords(rewards.lines, join(path, 'rewards.jsonl'), plan),
      failures: parseFailureRecords(failures.lines, join(path, 'failures.jsonl')),
      groups: parseGroupRecords(groups.lines, join(path, 'groups.jsonl')),
      candidates: parseCandidateRecords(candidates.lines, join(path, 'candidates.jsonl')),
      addGroup: (record) => explained(() => groups.append(JSON.stringify(record)), 'groups.jsonl'),
      addCandidate: (record) => explained(() => candidates.append(JSON.stringify(record)), 'candidates.jsonl'),
      addCompleted: (record) => explained(() => rewards.append(JSON.stringify(record)), 'rewards.jsonl'),
      addFailure: (record) => explained(() => failures.append(JSON.stringify(record)), 'failures.jsonl'),
      writeResults: (results) =>
        explained(() => replaceFile(join(path, 'results.json'), formatJson(results)), 'results.json'),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens a file that only some runs have: it is created for its first line. */
async function openOptional(path: string, name: string, open: (name: string) => Promise<LineFile>) {
  let file = existsSync(join(path, name)) ? open(name) : undefined;
  return {
    lines: (await file)?.lines ?? [],
    async append(line: string): Promise<void> {
      file ??= open(name);
      await (await file).append(line);
    },
  };
}

/** Adds the file, and how to resume, to errors of the file system. */
async function explainDiskErrors<T>(work: () => Promise<T>, path: string, name: string): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (errorCode(cause) === undefined) throw cause;
    const kept = 'the episodes in rewards.jsonl are complete and remain valid';
    const advice = `free some disk space, then resume with: ors rollout --resume ${path}`;
    throw new Error(`cannot write ${join(path, name)}: ${errorMessage(cause)}; ${kept}; ${advice}`, { cause });
  }
}

const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A file to which lines are appended. */
export interface LineFile {
  /** The lines that the file had when it was opened. */
  readonly lines: readonly string[];
  /** Resolves when the line is on disk. Waiting lines are written together; if that fails, all of them are removed. */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

interface PendingLine {
  readonly line: string;
  resolve(): void;
  reject(error: unknown): void;
}

/** Opens or creates a file. Ignores a byte order mark; removes an incomplete last line, whose `append` has not resolved. */
export async function openLineFile(path: string): Promise<LineFile> {
  const file = await open(path, 'a+');
  try {
    const bytes = await file.readFile();
    const size = bytes.lastIndexOf('\n') + 1;
    if (size < bytes.length) await file.truncate(size);
    const lines = withoutByteOrderMark(bytes.subarray(0, size).toString()).split('\n').slice(0, -1);
    return { lines, ...createWriter(file, size) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @param size size of the lines on disk, in bytes. */
function createWriter(file: FileHandle, size: number) {
  let waiting: PendingLine[] = [];
  let writing: Promise<void> | undefined;
  let isTorn = false;

  async function writeAll(text: string): Promise<void> {
    // Removes an incomplete write, for example after the disk was full.
    if (isTorn) await file.truncate(size);
    isTorn = true;
    await file.appendFile(text);
    await file.datasync();
    isTorn = false;
    size += Buffer.byteLength(text);
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await writeAll(batch.map(({ line }) => `${line}\n`).join(''));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    writing = undefined;
  }

  return {
    append: (line: string) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ line, resolve, reject });
        writing ??= write();
      }),
    async close() {
      await writing;
      if (isTorn) await file.truncate(size).catch(() => undefined);
      await file.close();
    },
  };
}

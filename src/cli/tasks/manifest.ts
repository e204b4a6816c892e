import { createReadStream } from 'node:fs';
import { canonicalJson, errorCode, hasCode, isRecord, oneLine, readLines, tryParseJson } from '../../core/index.ts';
import { fileProblem, sha256OfJson } from '../../core/node/index.ts';
import type { JSONObject, Split } from '../../protocol/index.ts';
import { CliError } from '../failure.ts';

/** Format in the first line of a manifest. */
const FORMAT = 'ors-tasks/1';

/** A split and its number of tasks. */
type ManifestSplit = Split & { readonly tasks: number };

/** First line of a manifest, without format and time. */
export interface TasksHeader {
  readonly environment: string;
  /** Server of the tasks; the version is null if the server does not report it. */
  readonly server: { readonly name: string; readonly version: string | null };
  /** True if these are all splits of the environment. */
  readonly complete: boolean;
  readonly splits: readonly ManifestSplit[];
}

/** Split and index of a task. */
export interface TaskPosition {
  readonly split: string;
  readonly index: number;
}

/** A task with its position. */
export interface ManifestTask extends TaskPosition {
  /** SHA-256 of the task's canonical JSON, in hex. */
  readonly hash: string;
  /** Absent if the manifest has only hashes. */
  readonly task?: JSONObject;
}

/** Formats the first line of a manifest. */
export function headerLine({ environment, server, complete, splits }: TasksHeader, takenAt: string): string {
  return `${JSON.stringify({ format: FORMAT, environment, server, taken_at: takenAt, complete, splits })}\n`;
}

/** Formats the line of a task; it does not depend on the order of keys. */
export function rowLine({ split, index, hash: own, task }: ManifestTask): string {
  const place = `{"split":${JSON.stringify(split)},"index":${index},"hash":"${own}"`;
  return task === undefined ? `${place}}\n` : `${place},"task":${canonicalJson(task)}}\n`;
}

/** Formats splits, such as `train 5000, test 200`. */
export const splitsText = (splits: readonly ManifestSplit[]): string =>
  splits.map(({ name, tasks }) => `${name} ${tasks}`).join(', ') || 'no split';

/** Source of tasks: a manifest, a server, or a module. */
export interface TaskReader extends AsyncDisposable {
  readonly header: TasksHeader;
  /** Returns true if it knows the split, or knows that it does not exist: a manifest of some splits does not. */
  hasSplit(split: string): boolean;
  /** Time of a manifest; null for a server or a module. */
  readonly takenAt: string | null;
  /**
   * Reads the tasks of the splits lazily, in the order of the header and of their indexes.
   *
   * @throws CliError if their number differs from the header.
   */
  rows(splits: ReadonlySet<string>): AsyncIterable<ManifestTask>;
  /** Reads single tasks, in the order of `positions`; undefined if there is only a hash. */
  tasksAt(positions: readonly TaskPosition[]): Promise<readonly (JSONObject | undefined)[]>;
}

/** Selects the tasks of a source. */
export interface TaskFilter {
  /** @default the only environment */
  readonly env?: string | undefined;
  /** Unknown splits are ignored. @default all splits */
  readonly splits?: readonly string[] | undefined;
}

/** Opens a manifest, whose lines are read lazily. @throws CliError if it is not a manifest. */
export async function openManifestReader(file: string): Promise<TaskReader> {
  const { takenAt, ...header } = await headerOf(file);
  return {
    header,
    takenAt,
    hasSplit: (split) => header.complete || header.splits.some(({ name }) => name === split),
    rows: (splits) => rowsOf(file, header, splits),
    tasksAt: (places) => tasksAt(file, places),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function headerOf(file: string): Promise<ManifestHeader> {
  for await (const line of linesOf(file)) return within(file, 1, () => parseHeader(line));
  throw new CliError(`${oneLine(file)} is empty; create a manifest with ors tasks snapshot`);
}

async function* rowsOf(
  file: string,
  header: TasksHeader,
  requested: ReadonlySet<string>,
): AsyncGenerator<ManifestTask> {
  const expected = positionsOf(header);
  for await (const { number, row } of parsedRows(file)) {
    const due = expected.next().value;
    if (row.split !== due?.split || row.index !== due.index) {
      const wanted = due === undefined ? 'no more tasks' : `${oneLine(due.split)} ${due.index}`;
      const found = `${oneLine(row.split)} ${row.index} where the first line expects ${wanted}`;
      throw new CliError(`${oneLine(file)}, line ${number}: got ${found}; create the manifest again`);
    }
    if (requested.has(row.split)) yield row;
  }
  const missing = expected.next().value;
  if (missing === undefined) return;
  const has = `${missing.index} of ${missing.tasks} tasks of split '${oneLine(missing.split)}'`;
  throw new CliError(`${oneLine(file)} ends after ${has}: it is truncated; create it again`);
}

/** Returns the positions of all tasks in their order, with the number of tasks of their split. */
function* positionsOf({ splits }: TasksHeader): Generator<TaskPosition & { tasks: number }, undefined> {
  for (const { name: split, tasks } of splits) {
    for (let index = 0; index < tasks; index++) yield { split, index, tasks };
  }
}

/** Reads the lines of the tasks lazily. @throws CliError if one is invalid. */
async function* parsedRows(file: string) {
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    if (number > 1 && line !== '') yield { number, row: within(file, number, () => parseRow(line)) };
  }
}

async function tasksAt(file: string, places: readonly TaskPosition[]): Promise<readonly (JSONObject | undefined)[]> {
  const requested = new Map(places.map((place, order) => [key(place), order]));
  const found: (JSONObject | undefined)[] = places.map(() => undefined);
  for await (const { row } of parsedRows(file)) {
    const order = requested.get(key(row));
    if (order === undefined) continue;
    found[order] = row.task;
    requested.delete(key(row));
    if (requested.size === 0) break;
  }
  return found;
}

const key = ({ split, index }: TaskPosition): string => `${index} ${split}`;

async function* linesOf(file: string): AsyncGenerator<string> {
  try {
    for await (const { number, text, reason } of readLines(createReadStream(file, { highWaterMark: 1 << 18 }))) {
      if (text === undefined)
        throw new CliError(`${oneLine(file)}, line ${number}: ${reason}; create the manifest again`);
      yield text;
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT'))
      throw new CliError(`there is no file '${oneLine(file)}'; check the path`, { cause: error });
    if (errorCode(error) === undefined) throw error;
    throw new CliError(`cannot read ${oneLine(file)}: ${fileProblem(error)}`, { cause: error });
  }
}

function within<T>(file: string, number: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error;
    const where = number === 1 ? oneLine(file) : `${oneLine(file)}, line ${number}`;
    throw new CliError(`${where}: ${oneLine(error.message)}`, { cause: error });
  }
}

/** A line of a manifest is invalid. */
class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

type ManifestHeader = TasksHeader & { readonly takenAt: string };

/** Parses the first line of a manifest. @throws ManifestError */
function parseHeader(line: string): ManifestHeader {
  const value = tryParseJson(line);
  if (!isRecord(value) || typeof value.format !== 'string') throw new ManifestError('not a manifest of tasks');
  const { format, environment, server, taken_at: takenAt, complete, splits } = value;
  if (format !== FORMAT) throw new ManifestError(`unsupported format '${format}': expected ${FORMAT}`);
  if (
    typeof environment !== 'string' ||
    typeof takenAt !== 'string' ||
    typeof complete !== 'boolean' ||
    !isServer(server) ||
    !Array.isArray(splits) ||
    !splits.every(isCountedSplit) ||
    new Set(splits.map(({ name }) => name)).size < splits.length
  )
    throw new ManifestError('invalid first line: it was not written by ors tasks snapshot');
  return { environment, server, takenAt, complete, splits };
}

const isServer = (value: unknown): value is TasksHeader['server'] =>
  isRecord(value) && typeof value.name === 'string' && (value.version === null || typeof value.version === 'string');

const isCountedSplit = (value: unknown): value is ManifestSplit =>
  isRecord(value) && typeof value.name === 'string' && typeof value.type === 'string' && isIndex(value.tasks);

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Parses the line of a task and verifies its hash. @throws ManifestError */
function parseRow(line: string): ManifestTask {
  const value = tryParseJson(line);
  if (!isRecord(value)) throw new ManifestError('not a JSON object');
  const { split, index, hash, task } = value;
  if (typeof split !== 'string' || !isIndex(index) || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) {
    throw new ManifestError('expected split, index and hash');
  }
  if (task === undefined) return { split, index, hash };
  if (!isRecord(task)) throw new ManifestError('the task is not an object');
  if (sha256OfJson(task as JSONObject) !== hash) {
    throw new ManifestError('the hash does not match the task; do not edit a manifest, create it again');
  }
  return { split, index, hash, task: task as JSONObject };
}

import { createReadStream } from 'node:fs';
import { errorCode, errorMessage, hasCode, oneLine, readLines } from '../../core/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { CliError } from '../failure.ts';
import type { ManifestTask, TaskPosition } from './manifest.ts';
import { ManifestError, type ManifestHeader, parseHeader, parseRow } from './parse-manifest.ts';
import type { TaskReader } from './task-source.ts';

/** A manifest as a source of tasks; its lines are read when they are asked for. @throws Failure if it is none. */
export async function openManifestReader(file: string): Promise<TaskReader> {
  const { takenAt, ...header } = await headerOf(file);
  return {
    header,
    takenAt,
    hasSplit: (split) => header.complete || header.splits.some(({ name }) => name === split),
    rows: (splits) => rowsOf(file, { ...header, takenAt }, splits),
    tasksAt: (places) => tasksAt(file, places),
    [Symbol.asyncDispose]: async () => {},
  };
}

async function headerOf(file: string): Promise<ManifestHeader> {
  for await (const line of linesOf(file)) return within(file, 1, () => parseHeader(line));
  throw new CliError(`${oneLine(file)} is empty; take a manifest with ors tasks snapshot`);
}

async function* rowsOf(
  file: string,
  header: ManifestHeader,
  requested: ReadonlySet<string>,
): AsyncGenerator<ManifestTask> {
  const expected = header.splits.map(({ name, tasks }) => ({ name, tasks }));
  let next = { place: 0, index: 0 };
  let number = 0;
  const skipEmpty = () => {
    while (next.place < expected.length && next.index === expected[next.place]?.tasks) {
      next = { place: next.place + 1, index: 0 };
    }
  };
  for await (const line of linesOf(file)) {
    number += 1;
    if (number === 1 || line === '') continue;
    skipEmpty();
    const row = within(file, number, () => parseRow(line));
    const name = expected[next.place]?.name;
    if (row.split !== name || row.index !== next.index) {
      const due = name === undefined ? 'no more tasks' : `${oneLine(name)} ${next.index}`;
      const found = `${oneLine(row.split)} ${row.index} where its first line says ${due}`;
      throw new CliError(`${oneLine(file)}, line ${number}: there is ${found}; take the manifest anew`);
    }
    next.index += 1;
    if (requested.has(row.split)) yield row;
  }
  skipEmpty();
  const missing = expected[next.place];
  if (missing === undefined) return;
  const has = `${next.index} of ${missing.tasks} tasks of split '${oneLine(missing.name)}'`;
  throw new CliError(`${oneLine(file)} ends after ${has}: it was cut off; take it anew`);
}

async function tasksAt(file: string, places: readonly TaskPosition[]): Promise<readonly (JSONObject | undefined)[]> {
  const requested = new Map(places.map((place, order) => [key(place), order]));
  const found: (JSONObject | undefined)[] = places.map(() => undefined);
  let [left, number] = [places.length, 0];
  for await (const line of linesOf(file)) {
    number += 1;
    if (left === 0) break;
    if (number === 1 || line === '') continue;
    const row = within(file, number, () => parseRow(line));
    const order = requested.get(key(row));
    if (order === undefined) continue;
    found[order] = row.task;
    left -= 1;
  }
  return found;
}

const key = ({ split, index }: TaskPosition): string => `${index} ${split}`;

async function* linesOf(file: string): AsyncGenerator<string> {
  try {
    for await (const { number, text, reason } of readLines(createReadStream(file, { highWaterMark: 1 << 18 }))) {
      if (text === undefined) throw new CliError(`${oneLine(file)}, line ${number}: ${reason}; take the manifest anew`);
      yield text;
    }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) throw new CliError(`there is no file '${oneLine(file)}'`, { cause: error });
    if (errorCode(error) === undefined) throw error;
    throw new CliError(`${oneLine(file)} cannot be read: ${errorMessage(error)}`, { cause: error });
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

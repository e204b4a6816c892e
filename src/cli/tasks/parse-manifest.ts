import { isRecord, tryParseJson } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { FORMAT, type ManifestSplit, type ManifestTask, type TasksHeader } from './manifest.ts';

/** What is wrong with a line of a manifest. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

export type ManifestHeader = TasksHeader & { readonly takenAt: string };

/** The first line of a manifest. @throws ManifestError */
export function parseHeader(line: string): ManifestHeader {
  const value = tryParseJson(line.replace(/^\ufeff/, ''));
  if (!isRecord(value) || typeof value.format !== 'string') throw new ManifestError('it is no manifest of tasks');
  const { format, environment, server, taken_at: takenAt, complete, splits } = value;
  if (format !== FORMAT) throw new ManifestError(`its format is '${format}', and this version reads ${FORMAT}`);
  if (
    typeof environment !== 'string' ||
    typeof takenAt !== 'string' ||
    typeof complete !== 'boolean' ||
    !isServer(server) ||
    !Array.isArray(splits) ||
    !splits.every(isCountedSplit) ||
    new Set(splits.map(({ name }) => name)).size < splits.length
  )
    throw new ManifestError('its first line is not as ors tasks snapshot writes it');
  return { environment, server, takenAt, complete, splits };
}

const isServer = (value: unknown): value is TasksHeader['server'] =>
  isRecord(value) && typeof value.name === 'string' && (value.version === null || typeof value.version === 'string');

const isCountedSplit = (value: unknown): value is ManifestSplit =>
  isRecord(value) && typeof value.name === 'string' && typeof value.type === 'string' && isIndex(value.tasks);

const isIndex = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The line of a task; its hash is held against the task. @throws ManifestError */
export function parseRow(line: string): ManifestTask {
  const value = tryParseJson(line);
  if (!isRecord(value)) throw new ManifestError('it is no JSON object');
  const { split, index, hash, task } = value;
  if (typeof split !== 'string' || !isIndex(index) || typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) {
    throw new ManifestError('it has no split, index and hash');
  }
  if (task === undefined) return { split, index, hash };
  if (!isRecord(task)) throw new ManifestError('its task is no object');
  if (sha256OfJson(task as JSONObject) !== hash) {
    throw new ManifestError(`its hash is not that of its task; a manifest is not edited, take it anew`);
  }
  return { split, index, hash, task: task as JSONObject };
}

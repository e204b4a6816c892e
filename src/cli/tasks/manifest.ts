import { canonicalJson } from '../../core/index.ts';
import type { JSONObject, Split } from '../../protocol/index.ts';

/** What the first line of a manifest calls it. */
export const FORMAT = 'ors-tasks/1';

/** A split, with how many tasks it has. */
export type ManifestSplit = Split & { readonly tasks: number };

/** What is known of tasks as a whole: the first line of a manifest, but for its format and time. */
export interface TasksHeader {
  readonly environment: string;
  /** Who gave them; the version is null where a server does not tell it. */
  readonly server: { readonly name: string; readonly version: string | null };
  /** Whether these are all splits that there were. */
  readonly complete: boolean;
  readonly splits: readonly ManifestSplit[];
}

/** The place of a task. */
export interface TaskPosition {
  readonly split: string;
  readonly index: number;
}

/** A task at its place. */
export interface ManifestTask extends TaskPosition {
  /** SHA-256 of the task's canonical JSON, in hex. */
  readonly hash: string;
  /** Left out where only hashes are kept. */
  readonly task?: JSONObject;
}

/** The first line of a manifest. */
export function headerLine({ environment, server, complete, splits }: TasksHeader, takenAt: string): string {
  return `${JSON.stringify({ format: FORMAT, environment, server, taken_at: takenAt, complete, splits })}\n`;
}

/** The line of a task; the same for tasks that differ only in the order of keys. */
export function rowLine({ split, index, hash: own, task }: ManifestTask): string {
  const place = `{"split":${JSON.stringify(split)},"index":${index},"hash":"${own}"`;
  return task === undefined ? `${place}}\n` : `${place},"task":${canonicalJson(task)}}\n`;
}

/** `train 5000, test 200`. */
export const splitsText = (splits: readonly ManifestSplit[]): string =>
  splits.map(({ name, tasks }) => `${name} ${tasks}`).join(', ') || 'no split';

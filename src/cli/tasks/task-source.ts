import type { JSONObject } from '../../protocol/index.ts';
import type { ManifestTask, TaskPosition, TasksHeader } from './manifest.ts';

/** Where tasks are read from: a manifest, a server, or a module. */
export interface TaskReader extends AsyncDisposable {
  readonly header: TasksHeader;
  /** Whether it can tell that it has no such split: a manifest of some splits says nothing of others. */
  hasSplit(split: string): boolean;
  /** When a manifest was taken; null for what is asked now. */
  readonly takenAt: string | null;
  /**
   * The tasks of the splits, in the order of the header and of their indexes; each is read when it is asked for.
   *
   * @throws Failure if there are more or fewer than the header says.
   */
  rows(splits: ReadonlySet<string>): AsyncIterable<ManifestTask>;
  /** Single tasks, in the order of their places; undefined where only its hash is kept. */
  tasksAt(places: readonly TaskPosition[]): Promise<readonly (JSONObject | undefined)[]>;
}

/** What of a source is asked for. */
export interface TaskFilter {
  /** Default: the only one that there is. */
  readonly env?: string | undefined;
  /** Default: all. Those that are not there are left out. */
  readonly splits?: readonly string[] | undefined;
}

import { canonicalJson, largest } from '../../core/index.ts';
import type { SplitDefinition } from '../../environment/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import type { RecordedEpisode } from './recorded-episode.ts';

/** A task of a replay: which record it is of, and what clients see of it. */
export interface ReplayTask {
  /** Null for a place of a split of which nothing was recorded. */
  readonly trace: string | null;
  readonly publicTask: JSONObject;
}

export interface ReplayTasks {
  readonly splits: Readonly<Record<string, SplitDefinition<ReplayTask>>>;
  /** The way back from what clients see. @throws Error for what is none of it. */
  readonly resolve: (shown: JSONObject) => ReplayTask;
}

/**
 * The tasks of recorded episodes: each where it was in its split, and all of them, one after the other, in a split of
 * their own, by the name of `recorded`.
 */
export function createReplayTasks(episodes: readonly RecordedEpisode[]): ReplayTasks {
  const all = episodes.map(({ id, split, index, task }): ReplayTask => {
    const place = split === null ? {} : { split, index };
    return { trace: id, publicTask: { trace: id, ...place, ...(task && { task_spec: task }) } };
  });
  const placed = new Map<string, Map<number, ReplayTask>>();
  const byShown = new Map<string, ReplayTask>();
  for (const [at, { id, split, index, task }] of episodes.entries()) {
    const whole = all[at] as ReplayTask;
    byShown.set(canonicalJson(whole.publicTask), whole);
    const original: ReplayTask = { trace: id, publicTask: task ?? whole.publicTask };
    // Of several episodes of a task the first is found by its place.
    const key = canonicalJson(original.publicTask);
    if (!byShown.has(key)) byShown.set(key, original);
    if (split === null || index === null) continue;
    const places = placed.get(split) ?? new Map<number, ReplayTask>();
    if (!places.has(index)) places.set(index, original);
    placed.set(split, places);
  }
  const recorded = placed.has('recorded') ? 'recorded_traces' : 'recorded';
  const originals = [...placed].map(([split, places]) => [split, lookupOf(split, places)] as const);
  return {
    splits: { ...Object.fromEntries(originals), [recorded]: all },
    resolve(shown) {
      const task = byShown.get(canonicalJson(shown));
      if (task) return task;
      throw new Error('no such task was recorded');
    },
  };
}

function lookupOf(split: string, places: ReadonlyMap<number, ReplayTask>): SplitDefinition<ReplayTask> {
  const highest = largest(places.keys());
  return {
    count: highest + 1,
    get: (index) => places.get(index) ?? { trace: null, publicTask: { recorded: false, split, index } },
  };
}

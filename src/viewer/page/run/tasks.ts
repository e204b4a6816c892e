import type { Trace } from '../../../../generated/trace.ts';

type ListedTask = Pick<Trace, 'environment' | 'split' | 'task_key' | 'task_index'>;
type SeenTask = ListedTask & Partial<Pick<Trace, 'model' | 'tags'>>;

/** What filters can be chosen: all that was seen of the run so far. */
export interface FilterChoices {
  readonly environments: ReadonlySet<string>;
  readonly splits: ReadonlySet<string>;
  readonly models: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
  /** By task_key. */
  readonly tasks: ReadonlyMap<string, ListedTask>;
}

const nobody: ReadonlySet<string> = new Set();
export const NO_CHOICES: FilterChoices = {
  environments: nobody,
  splits: nobody,
  models: nobody,
  tags: nobody,
  tasks: new Map(),
};

/** What is known with what these traces or groups show; the same object where they show nothing new. */
export function addFilterChoices(known: FilterChoices, seen: readonly SeenTask[]): FilterChoices {
  const tasks = new Map(known.tasks);
  for (const each of seen) if (each.task_key !== null) tasks.set(each.task_key, each);
  const next: FilterChoices = {
    environments: withValues(known.environments, seen, ({ environment }) => [environment]),
    splits: withValues(known.splits, seen, ({ split }) => [split]),
    models: withValues(known.models, seen, ({ model }) => [model]),
    tags: withValues(known.tags, seen, ({ tags }) => tags ?? []),
    tasks,
  };
  return (Object.keys(next) as (keyof FilterChoices)[]).every((name) => next[name].size === known[name].size)
    ? known
    : next;
}

const withValues = (
  known: ReadonlySet<string>,
  seen: readonly SeenTask[],
  values: (seen: SeenTask) => readonly (string | null | undefined)[],
): ReadonlySet<string> => new Set([...known, ...seen.flatMap(values).filter((value) => typeof value === 'string')]);

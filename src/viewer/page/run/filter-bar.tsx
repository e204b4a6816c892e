import type { RunStats } from '../../../../generated/trace.ts';
import { formatReward } from '../parts/amounts.ts';
import { formatTaskName } from '../parts/trace-table.tsx';
import type { UrlQuery } from '../shell/location.ts';
import { NO_FILTERS, STATUSES, type TraceFilters } from './filters.ts';
import type { FilterChoices } from './tasks.ts';

interface Props {
  readonly stats: RunStats;
  readonly filters: TraceFilters;
  readonly known: FilterChoices;
  readonly onChange: (changes: UrlQuery) => void;
}

type Choices = Iterable<readonly [string, string]>;

/** Every filter of the traces; what is chosen stands in the address. */
export function FilterBar({ stats, filters, known, onChange }: Props) {
  const same = (values: Iterable<string>): Choices => [...values].sort().map((value) => [value, value] as const);
  const choice = (name: keyof TraceFilters, label: string, choices: Choices) => (
    <Choice {...{ name, label, choices, onChange }} value={filters[name]} />
  );
  const steps = stats.steps.flatMap(({ step }) => (step === null ? [] : [String(step)]));
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <form class="run-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        aria-label="Name or id"
        placeholder="Name or id"
        value={filters.q ?? ''}
        onInput={(event) => onChange({ q: event.currentTarget.value || undefined })}
      />
      {choice('status', 'status', same(STATUSES))}
      {choice('has_error', 'failed calls', [
        ['true', 'with failed calls'],
        ['false', 'without failed calls'],
      ])}
      {choice('step', 'step', inOrder(steps))}
      {known.tasks.size > 0 && choice('task_key', 'task', namesOf(known.tasks).toSorted(byName))}
      {several(known.environments, filters.environment) &&
        choice('environment', 'environment', same(known.environments))}
      {several(known.splits, filters.split) && choice('split', 'split', same(known.splits))}
      {several(known.models, filters.model) && choice('model', 'model', same(known.models))}
      {(known.tags.size > 0 || filters.tag !== undefined) && choice('tag', 'tag', same(known.tags))}
      {filters.group_id !== undefined && choice('group_id', 'group', [])}
      {(filters.reward_min !== undefined || filters.reward_max !== undefined) && (
        <button
          type="button"
          class="run-chip"
          title="Take this filter away"
          onClick={() => onChange({ reward_min: undefined, reward_max: undefined })}
        >
          {`reward ${filters.reward_min === undefined ? '' : `≥ ${formatReward(filters.reward_min)} `}${filters.reward_max === undefined ? '' : `≤ ${formatReward(filters.reward_max)}`} ✕`}
        </button>
      )}
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => onChange(NO_FILTERS)}>
          Clear filters
        </button>
      )}
    </form>
  );
}

const several = (values: ReadonlySet<string>, chosen: string | undefined) => values.size > 1 || chosen !== undefined;

const inOrder = (numbers: readonly string[]): Choices =>
  numbers.toSorted((one, other) => Number(one) - Number(other)).map((step) => [step, `step ${step}`] as const);

const namesOf = (tasks: FilterChoices['tasks']) =>
  Array.from(tasks, ([key, task]) => [key, formatTaskName(task)] as const);

const byName = ([, one]: readonly [string, string], [, other]: readonly [string, string]) =>
  one.localeCompare(other, 'en', { numeric: true });

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly choices: Choices;
  readonly value: string | number | boolean | undefined;
  readonly onChange: (changes: UrlQuery) => void;
}

/** One filter; a value of the address that nothing shows is offered too. */
function Choice({ name, label, choices, value, onChange }: ChoiceProps) {
  const all = new Map(choices);
  const chosen = value === undefined ? '' : String(value);
  if (chosen !== '' && !all.has(chosen)) all.set(chosen, chosen);
  return (
    <select
      aria-label={label}
      class={chosen === '' ? 'run-any' : 'run-set'}
      value={chosen}
      onChange={(event) => onChange({ [name]: event.currentTarget.value || undefined })}
    >
      <option value="">{`any ${label}`}</option>
      {[...all].map(([each, shown]) => (
        <option key={each} value={each}>
          {shown}
        </option>
      ))}
    </select>
  );
}

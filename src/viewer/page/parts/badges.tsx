import type { ComponentChildren } from 'preact';
import type { Run, TraceStatus } from '../../../../generated/trace.ts';
import { formatCount, formatDuration, plural } from '../../../core/index.ts';
import { formatReward, formatRewardInColumn } from './rewards.ts';
import type { TraceTimes } from './trace-info.ts';

interface Props {
  readonly value: number | null | undefined;
  readonly isInColumn?: boolean;
}

/** Shows a reward; sign and colour distinguish good and bad. */
export function Reward({ value, isInColumn = false }: Props) {
  const sign = value == null ? 'none' : value > 0 ? 'plus' : value < 0 ? 'minus' : 'zero';
  return (
    <span class={`reward reward-${sign}`} title={value == null ? 'no reward' : String(value)}>
      {isInColumn ? formatRewardInColumn(value) : formatReward(value)}
    </span>
  );
}

/** Shows the status of a trace as a word with a mark that can be read without colour. */
export function StatusBadge({ status }: { readonly status: TraceStatus }) {
  return <span class={`status status-${status}`}>{status}</span>;
}

/** Formats the number of traces by status: `7 finished, 2 errors`. */
export const formatStatusCounts = (status: Run['status'], states: readonly TraceStatus[]): string =>
  states
    .filter((name) => status[name] > 0)
    .map((name) => (name === 'error' ? plural(status.error, name) : `${formatCount(status[name])} ${name}`))
    .join(', ');

interface FactsProps {
  readonly class: string;
  /** Values by name; false and undefined are left out. */
  readonly facts: Readonly<Record<string, ComponentChildren>>;
}

/** List of names and values. */
export const Facts = ({ class: classes, facts }: FactsProps) => (
  <dl class={`facts ${classes}`}>
    {Object.entries(facts).map(
      ([name, value]) =>
        value !== false &&
        value !== undefined && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

/** Shows how long ago something was, with the exact time as tooltip. */
export function RelativeTime({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${date.toLocaleString()} (${at})`}>
      {ago(date)}
    </time>
  );
}

/** Shows when a trace was created and, if it was imported, when. */
export function CreatedTime({ of: { created_at, imported_at } }: { readonly of: TraceTimes }) {
  return (
    <>
      <RelativeTime at={created_at} />
      {imported_at !== undefined && <small title={`Recorded ${created_at}, imported ${imported_at}`}> imported</small>}
    </>
  );
}

function ago(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1_000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.round(seconds / size), unit);
}

/** Formats the duration of a trace; `–` if it is unknown. */
export const formatTraceDuration = ({ created_at, finished_at }: Omit<TraceTimes, 'imported_at'>): string =>
  finished_at === null ? '–' : formatDurationBetween(created_at, finished_at);

/** Formats the time between two timestamps. */
export const formatDurationBetween = (from: string, to: string): string =>
  formatDuration(Date.parse(to) - Date.parse(from));

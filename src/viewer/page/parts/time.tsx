import { formatDuration } from '../../../core/index.ts';
import type { TraceTimes } from './recorded.ts';

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

/** How long ago something was; when it was, to the millisecond, under the pointer. */
export function RelativeTime({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={`${date.toLocaleString()} (${at})`}>
      {ago(date)}
    </time>
  );
}

/** When a trace was made, and whether it has come from elsewhere since. */
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

/** How long a trace took; `–` where its end is not known. */
export const formatTraceDuration = ({ created_at, finished_at }: Omit<TraceTimes, 'imported_at'>): string =>
  finished_at === null ? '–' : formatDurationBetween(created_at, finished_at);

/** Formats the time between two times. */
export const formatDurationBetween = (from: string, to: string): string =>
  formatDuration(Date.parse(to) - Date.parse(from));

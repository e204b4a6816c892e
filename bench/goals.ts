import { type Figure, quotient, quotients, type Row } from './results.ts';

/** A figure: whose, of which measure (its name, how it begins, or what it looks like), of which metric. */
interface Value {
  measure: string | RegExp;
  metric: string;
  of: string;
}

export interface Goal {
  what: string;
  value: Value;
  /** What the value is divided by. Default: nothing. */
  through?: Value | undefined;
  atMost?: number | undefined;
  atLeast?: number | undefined;
}

export interface Judged {
  what: string;
  bound: string;
  /** Undefined where it was not measured. */
  found: string | undefined;
  /** In how many of the rounds it was so; undefined where they are not known. */
  rounds: { met: number; of: number } | undefined;
  met: boolean | undefined;
}

const besides = (measure: string | RegExp, metric: string, other: string) => ({
  value: { measure, metric, of: 'ours' },
  through: { measure, metric, of: other },
});
const own = (measure: string, metric: string) => ({ value: { measure, metric, of: 'ours' } });

const [small, one] = ['calls, 32 connections', 'calls, 1 connection'];
/** Flat, for figures that scatter. */
const flat = 1.15;
const manyThings = ['100 environments', '200 tools', '1,000,000 tasks', '10,000 sessions'];

export const goals: readonly Goal[] = [
  { what: 'CPU per call, 32 connections, by bare', ...besides(small, 'CPU us/call', 'bare'), atMost: 1.3 },
  { what: 'CPU per call, 32 connections, by reference', ...besides(small, 'CPU us/call', 'reference'), atMost: 1 / 45 },
  { what: 'calls/s, 1 connection, by bare', ...besides(one, 'calls/s', 'bare'), atLeast: 0.95 },
  { what: 'p99 of a call, 32 connections, by bare', ...besides(small, 'p99 ms', 'bare'), atMost: 3 },
  { what: 'p99 of a call, 1 connection, by bare', ...besides(one, 'p99 ms', 'bare'), atMost: 3 },
  { what: 'CPU per episode, by bare', ...besides('episodes', 'CPU us/episode', 'bare'), atMost: 1.2 },
  { what: 'CPU per episode, by reference', ...besides('episodes', 'CPU us/episode', 'reference'), atMost: 1 / 14 },
  ...['10,000', '100,000'].flatMap((count) =>
    ['heap', 'RSS'].map((kind) => ({
      what: `${kind} bytes per idle session, of ${count}`,
      ...own('sessions', `${kind} bytes/idle session, of ${count}`),
      atMost: 600,
    })),
  ),
  ...[
    { count: '5,000', measure: /^streams, 5,000 x/ },
    { count: '20,000, or as many as may be open', measure: /^streams, (?!5,000 x)/ },
  ].map(({ count, measure }) => ({
    what: `memory of a held stream, of ${count}, by reference`,
    ...besides(measure, 'RSS kB/stream', 'reference'),
    atMost: 0.27,
  })),
  { what: 'result of 10 MB, by bare', ...besides('large', '10 MB result ms', 'bare'), atMost: 1.15 },
  { what: 'start to first answer, by reference', ...besides('start', 'ms to first answer', 'reference'), atMost: 0.5 },
  {
    what: 'CPU per direct call in mixed traffic, by pure',
    ...own('mixed', 'the second through the first'),
    atMost: 1.15,
  },
  ...manyThings.flatMap((many) =>
    ['call', 'episode'].map((what) => ({
      what: `CPU per ${what} with ${many}, by one`,
      ...own('growth', `CPU/${what}, ${many}, through one`),
      atMost: flat,
    })),
  ),
  ...['RSS', 'in use after a collection'].map((kind) => ({
    what: `least memory (${kind}) of the last two of ten minutes at full speed, by that of the second and third`,
    ...own('endurance', `${kind}, the least of the second through that of the first`),
    atMost: 1.1,
  })),
];

/** Two workers on two cores beside the one thread of the server. */
export const isolationGoals: readonly Goal[] = [
  {
    what: 'calls/s of a tool that computes, 8 sessions in two workers, by one thread',
    value: { measure: 'throughput', metric: 'calls/s', of: 'worker' },
    through: { measure: 'throughput', metric: 'calls/s', of: 'inline' },
    atLeast: 1.7,
  },
];

export function judge({ what, value, through, atMost, atLeast }: Goal, rows: readonly Row[]): Judged {
  const figure = figureOf(value, rows);
  const divisor = through && figureOf(through, rows);
  const found = through === undefined ? figure?.median : quotient(figure, divisor);
  const bound = atMost === undefined ? `at least ${smallText(atLeast ?? 0)}` : `at most ${smallText(atMost)}`;
  if (found === undefined || !Number.isFinite(found)) {
    return { what, bound, found: undefined, rounds: undefined, met: undefined };
  }
  const isMet = (one: number) => one <= (atMost ?? one) && one >= (atLeast ?? one);
  const all = figure && divisor ? quotients(figure, divisor) : (figure?.values ?? []);
  const rounds = all.length > 1 ? { met: all.filter(isMet).length, of: all.length } : undefined;
  return { what, bound, found: smallText(found), rounds, met: isMet(found) };
}

function figureOf({ measure, metric, of }: Value, rows: readonly Row[]): Figure | undefined {
  const isMeant = (name: string) =>
    typeof measure === 'string' ? name === measure || name.startsWith(`${measure}, `) : measure.test(name);
  const row = rows.find((row) => isMeant(row.measure) && row.name === metric);
  return row?.figures[of];
}

/** A small part is written as one of many. */
export const smallText = (value: number): string =>
  value < 0.1 ? `1/${(1 / value).toFixed(1).replace(/\.0$/, '')}` : value.toFixed(value < 100 ? 2 : 0);

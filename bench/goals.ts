import { peerNames } from './process/contestants.ts';
import { type Figure, figureRatio, type Row, ratiosByRound } from './results.ts';

/**
 * Selects a figure: of which contestant (of several, the best one), measure (its name, the start of its name, or a
 * pattern) and metric.
 */
interface FigureSelector {
  measure: string | RegExp;
  metric: string;
  of: string | readonly string[];
}

export interface Goal {
  what: string;
  value: FigureSelector;
  /** Makes the goal a bound of the ratio of two figures. */
  dividedBy?: FigureSelector | undefined;
  atMost?: number | undefined;
  atLeast?: number | undefined;
}

export interface Verdict {
  what: string;
  bound: string;
  /** Undefined if it was not measured. */
  found: string | undefined;
  /** The number of rounds in which the goal was met; undefined if the rounds are unknown. */
  rounds: { met: number; of: number } | undefined;
  met: boolean | undefined;
  /** Result relative to its bound; above 1 for a missed goal. Undefined if it was not measured. */
  share: number | undefined;
}

const ours = (measure: string, metric: string) => ({ value: { measure, metric, of: 'ours' } });
const figureTo = (of: string, other: FigureSelector['of'], measure: string | RegExp, metric: string) => ({
  value: { measure, metric, of },
  dividedBy: { measure, metric, of: other },
});
const oursTo = (other: FigureSelector['of'], measure: string | RegExp, metric: string) =>
  figureTo('ours', other, measure, metric);

const [small, one] = ['calls, 32 connections', 'calls, 1 connection'];
/** Bound of our cost relative to that of the cheapest peer. */
const MAX_OF_PEER = 0.35;
/** Bound for costs that must not grow, with room for the scatter of the figures. */
const FLAT = 1.15;
/** Episodes that all start at once, and wait for a call. */
const WAITING = /^2,000 episodes at once/;
const growthVariants = ['100 environments', '200 tools', '1,000,000 tasks', '10,000 sessions'];

export const goals: readonly Goal[] = [
  {
    what: 'CPU per call, 32 connections, ours/best peer',
    ...oursTo(peerNames, small, 'CPU us/call'),
    atMost: MAX_OF_PEER,
  },
  { what: 'CPU per call, 32 connections, ours/bare', ...oursTo('bare', small, 'CPU us/call'), atMost: 1.25 },
  { what: 'calls/s, 1 connection, ours/bare', ...oursTo('bare', one, 'calls/s'), atLeast: 0.95 },
  { what: 'p99 of a call, 32 connections, ours/bare', ...oursTo('bare', small, 'p99 ms'), atMost: 3 },
  { what: 'p99 of a call, 1 connection, ours/bare', ...oursTo('bare', one, 'p99 ms'), atMost: 3 },
  {
    what: 'CPU per episode, ours/best peer',
    ...oursTo(peerNames, 'episodes', 'CPU us/episode'),
    atMost: MAX_OF_PEER,
  },
  { what: 'CPU per episode, ours/bare', ...oursTo('bare', 'episodes', 'CPU us/episode'), atMost: 1.15 },
  ...['10,000', '100,000'].flatMap((count) =>
    ['heap', 'RSS'].map((kind) => ({
      what: `${kind} bytes per idle session, of ${count}`,
      ...ours('sessions', `${kind} bytes/idle session, of ${count}`),
      atMost: 600,
    })),
  ),
  ...[
    { count: '5,000 streams', measure: /^streams, 5,000 x/ },
    { count: '20,000 streams or the open-file limit', measure: /^streams, (?!5,000 x)/ },
  ].map(({ count, measure }) => ({
    what: `memory per open stream, ${count}, ours/reference`,
    ...oursTo('reference', measure, 'RSS kB/stream'),
    atMost: 0.27,
  })),
  { what: 'time for a result of 10 MB, ours/bare', ...oursTo('bare', 'large', '10 MB result ms'), atMost: 1.15 },
  {
    what: 'start to first response, ours/reference',
    ...oursTo('reference', 'start', 'ms to first response'),
    atMost: 0.4,
  },
  { what: 'RSS after the first episode, MB', ...ours('start', 'RSS MB'), atMost: 60 },
  { what: 'CPU of `ors --help`, ms', ...ours('start', '`ors --help`, CPU ms'), atMost: 120 },
  {
    what: 'slowest response of /health in the first ten seconds, ms',
    ...ours('start', 'longest response of /health in the first 10 s, ms'),
    atMost: 30,
  },
  { what: 'CPU per fast-path call, mixed traffic/fast path only', ...ours('mixed', 'ratio of the two'), atMost: FLAT },
  ...growthVariants.flatMap((variant) =>
    ['call', 'episode'].map((unit) => ({
      what: `CPU per ${unit}, ${variant}/one of each`,
      ...ours('growth', `CPU/${unit}, ${variant}, relative to one`),
      atMost: FLAT,
    })),
  ),
  {
    what: 'episodes/s of a run, 5,000 at once/load generator, 32 at once',
    ...figureTo('run', 'load', 'rollouts, 5,000 at once', 'episodes/s'),
    atLeast: 0.7,
  },
  {
    what: 'episodes/s of a run, 32 at once, recorded/not recorded',
    ...figureTo('recorded', 'run', 'rollouts, 32 at once', 'episodes/s'),
    atLeast: 0.75,
  },
  {
    what: 'memory of a client per episode that waits, ours/ors-sdk',
    ...oursTo('ors-sdk', WAITING, 'RSS kB/episode'),
    atMost: 1,
  },
  ...['RSS', 'memory in use after GC'].map((kind) => ({
    what: `minimum ${kind} at full load, minutes 9 and 10/minutes 2 and 3`,
    ...ours('endurance', `${kind}, ratio of the minimums`),
    atMost: 1.1,
  })),
];

/** Goals of workers. */
export const isolationGoals: readonly Goal[] = [
  {
    what: 'calls/s of a CPU-bound tool, 8 sessions, two workers/one thread',
    ...figureTo('worker', 'inline', 'throughput', 'calls/s'),
    atLeast: 1.7,
  },
  {
    what: 'start of a session with a worker, p50 ms',
    value: { measure: /^starts/, metric: 'one at a time, p50 ms', of: 'session' },
    atMost: 250,
  },
];

export function judge({ what, value, dividedBy, atMost, atLeast }: Goal, rows: readonly Row[]): Verdict {
  const figure = figureOf(value, rows);
  const divisor = dividedBy && figureOf(dividedBy, rows);
  const found = dividedBy === undefined ? figure?.median : figureRatio(figure, divisor);
  const bound = atMost === undefined ? `at least ${boundText(atLeast ?? 0)}` : `at most ${boundText(atMost)}`;
  if (found === undefined || !Number.isFinite(found)) {
    return { what, bound, found: undefined, rounds: undefined, met: undefined, share: undefined };
  }
  const isMet = (one: number) => one <= (atMost ?? one) && one >= (atLeast ?? one);
  const byRound = figure && divisor ? ratiosByRound(figure, divisor) : (figure?.values ?? []);
  const rounds = byRound.length > 1 ? { met: byRound.filter(isMet).length, of: byRound.length } : undefined;
  const share = atMost === undefined ? (atLeast ?? 0) / found : found / atMost;
  return { what, bound, found: boundText(found), rounds, met: isMet(found), share };
}

function figureOf({ measure, metric, of }: FigureSelector, rows: readonly Row[]): Figure | undefined {
  const matches = (name: string) =>
    typeof measure === 'string' ? name === measure || name.startsWith(`${measure}, `) : measure.test(name);
  const row = rows.find((row) => matches(row.measure) && row.name === metric);
  return row && bestFigure(row, of);
}

/** Returns the figure of a contestant; of several, the best one. */
export function bestFigure({ better, figures }: Row, of: FigureSelector['of']): Figure | undefined {
  const byMedian = [of]
    .flat()
    .flatMap((name) => figures[name] ?? [])
    .sort((one, other) => one.median - other.median);
  return better === 'more' ? byMedian.at(-1) : byMedian[0];
}

/** Formats a value with the precision of a goal; a small one as a fraction, such as 1/45. */
const boundText = (value: number): string =>
  value < 0.1 ? `1/${(1 / value).toFixed(1).replace(/\.0$/, '')}` : value.toFixed(value < 100 ? 2 : 0);

/** Formats one verdict as a line for a terminal. */
export const verdictText = ({ what, bound, found, met }: Verdict): string =>
  `${met ? 'met    ' : 'NOT MET'}  ${what}: ${found}, ${bound}`;

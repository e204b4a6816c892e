import { sum } from '../../core/index.ts';
import { histogramBuckets, type Labels, labelValues, type Scrape, type ServerSnapshot, sumMetric } from './scrape.ts';

const STATES = ['setup', 'active', 'idle', 'finished', 'failed', 'teardown'] as const;

/** Durations in seconds, null without measurements; rates over `windowSeconds`. */
interface DurationStats {
  readonly perSecond: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

interface ToolOverview extends DurationStats {
  readonly environment: string;
  readonly tool: string;
  /** Fractions of the calls: tool errors, and calls that failed. Null without calls. */
  readonly failed: number | null;
  readonly errors: number | null;
}

type SessionOverview = { readonly environment: string } & Readonly<Record<(typeof STATES)[number], number>>;

/** State of a server. Counters are given as rates over a window of time. */
export interface ServerOverview {
  readonly version: string | null;
  readonly ready: boolean;
  readonly uptimeSeconds: number;
  readonly windowSeconds: number;
  readonly sessions: readonly SessionOverview[];
  readonly calls: DurationStats & { readonly running: number };
  readonly tools: readonly ToolOverview[];
  readonly setups: readonly (DurationStats & { readonly environment: string })[];
  readonly queues: readonly (DurationStats & { readonly queue: string; readonly length: number })[];
  /** Number of rejected requests since the server started, by reason. */
  readonly refused: Readonly<Record<string, number>>;
  readonly requestsPerSecond: number;
  readonly streams: { readonly open: number; readonly stalled: number; readonly bytesPerSecond: number };
  readonly eventLoopDelay: { readonly p50: number | null; readonly p99: number | null };
  /** Fraction of one processor. */
  readonly cpu: number;
  readonly memoryBytes: number;
}

/** Computes the overview from a scrape and an earlier one; without it, rates are those since the server started. */
export function computeOverview(
  { scrape: now, ready, time }: ServerSnapshot,
  before: Scrape | undefined,
): ServerOverview {
  const uptimeSeconds = Math.max(0, time - sumMetric(now, 'process_start_time_seconds'));
  const windowSeconds = before ? (now.at - before.at) / 1_000 : uptimeSeconds;
  const view = { now, before, windowSeconds };
  const { rate, buckets } = reader(view);
  const delays = buckets('ors_event_loop_delay_seconds');
  return {
    version: labelValues(now, 'ors_build_info', 'version')[0] ?? null,
    ready,
    uptimeSeconds,
    windowSeconds,
    sessions: labelValues(now, 'ors_sessions', 'environment').map((environment) => sessionsOf(now, environment)),
    calls: { ...durations(view, CALLS), running: sumMetric(now, 'ors_calls_running') },
    tools: toolsOf(view),
    setups: labelValues(now, `${SETUPS}_count`, 'environment').map((environment) => ({
      environment,
      ...durations(view, SETUPS, { environment }),
    })),
    queues: labelValues(now, 'ors_queue_length', 'queue').map((queue) => ({
      queue,
      length: sumMetric(now, 'ors_queue_length', { queue }),
      ...durations(view, 'ors_queue_wait_seconds', { queue }),
    })),
    refused: Object.fromEntries(
      labelValues(now, 'ors_refused_total', 'reason').map((reason) => [
        reason,
        sumMetric(now, 'ors_refused_total', { reason }),
      ]),
    ),
    requestsPerSecond: rate('ors_http_request_duration_seconds_count'),
    streams: {
      open: sumMetric(now, 'ors_streams_open'),
      stalled: sumMetric(now, 'ors_streams_stalled'),
      bytesPerSecond: rate('ors_stream_bytes_total'),
    },
    eventLoopDelay: { p50: histogramQuantile(0.5, delays), p99: histogramQuantile(0.99, delays) },
    cpu: rate('process_cpu_seconds_total'),
    memoryBytes: sumMetric(now, 'process_resident_memory_bytes'),
  };
}

const CALLS = 'ors_call_duration_seconds';
const SETUPS = 'ors_setup_duration_seconds';

interface ScrapeWindow {
  readonly now: Scrape;
  readonly before: Scrape | undefined;
  readonly windowSeconds: number;
}

function reader({ now, before, windowSeconds }: ScrapeWindow) {
  const counted = (name: string, labels?: Labels) =>
    sumMetric(now, name, labels) - (before ? sumMetric(before, name, labels) : 0);
  return {
    counted,
    rate: (name: string, labels?: Labels) => (windowSeconds > 0 ? counted(name, labels) / windowSeconds : 0),
    buckets: (name: string, labels?: Labels) =>
      diffBuckets(before && histogramBuckets(before, name, labels), histogramBuckets(now, name, labels)),
  };
}

function durations(view: ScrapeWindow, name: string, labels?: Labels): DurationStats {
  const { rate, buckets } = reader(view);
  const observed = buckets(name, labels);
  return {
    perSecond: rate(`${name}_count`, labels),
    p50: histogramQuantile(0.5, observed),
    p95: histogramQuantile(0.95, observed),
  };
}

function sessionsOf(now: Scrape, environment: string): SessionOverview {
  const counts = STATES.map((state) => [state, sumMetric(now, 'ors_sessions', { environment, state })] as const);
  // Its keys are the states.
  return { environment, ...(Object.fromEntries(counts) as Record<(typeof STATES)[number], number>) };
}

function toolsOf(view: ScrapeWindow): ToolOverview[] {
  const count = `${CALLS}_count`;
  const { counted } = reader(view);
  return labelValues(view.now, count, 'environment').flatMap((environment) =>
    labelValues(view.now, count, 'tool', { environment }).map((tool) => {
      const labels = { environment, tool };
      const calls = counted(count, labels);
      const outcomes = (...names: string[]) => sum(names.map((outcome) => counted(count, { ...labels, outcome })));
      const part = (some: number) => (calls > 0 ? some / calls : null);
      return {
        environment,
        tool,
        ...durations(view, CALLS, labels),
        failed: part(outcomes('failed')),
        errors: part(outcomes('error', 'timeout', 'gone')),
      };
    }),
  );
}

/**
 * Returns a quantile as Prometheus computes it: interpolates linearly within a bucket, and counts values beyond the last
 * finite bound as that bound. Null without observations.
 */
export function histogramQuantile(part: number, buckets: ReadonlyMap<number, number>): number | null {
  const bounds = [...buckets.keys()];
  const count = buckets.get(Number.POSITIVE_INFINITY) ?? 0;
  if (count <= 0) return null;
  const rank = part * count;
  let below = 0;
  let lower = 0;
  for (const bound of bounds) {
    const upTo = buckets.get(bound) ?? 0;
    if (upTo >= rank && upTo > below) {
      return bound === Number.POSITIVE_INFINITY ? lower : lower + ((bound - lower) * (rank - below)) / (upTo - below);
    }
    below = upTo;
    lower = bound;
  }
  return lower;
}

/** Returns the observations between two scrapes. */
export function diffBuckets(
  before: ReadonlyMap<number, number> | undefined,
  now: ReadonlyMap<number, number>,
): Map<number, number> {
  return new Map([...now].map(([bound, count]) => [bound, count - (before?.get(bound) ?? 0)]));
}

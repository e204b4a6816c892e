import { sum } from '../../core/index.ts';
import { histogramBuckets, type Labels, labelValues, type Scrape, type ServerSnapshot, sumMetric } from './scrape.ts';

export const SESSION_STATES = ['setup', 'active', 'idle', 'finished', 'failed', 'teardown'] as const;

/** Durations in seconds, null without measurements; rates over `windowSeconds`. */
interface DurationStats {
  readonly perSecond: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

type SessionOverview = { readonly environment: string } & Readonly<Record<(typeof SESSION_STATES)[number], number>>;

/** State of a server. */
export type ServerOverview = ReturnType<typeof computeOverview>;

const CALLS = 'ors_call_duration_seconds';
const SETUPS = 'ors_setup_duration_seconds';

/** Computes the overview from a scrape and an earlier one; without it, rates are those since the server started. */
export function computeOverview({ scrape: now, ready, time }: ServerSnapshot, before: Scrape | undefined) {
  const value = (name: string, labels?: Labels) => sumMetric(now, name, labels);
  const uptimeSeconds = Math.max(0, time - value('process_start_time_seconds'));
  const windowSeconds = before ? (now.at - before.at) / 1_000 : uptimeSeconds;
  const reader = createWindowReader(now, before, windowSeconds);
  const { rate, buckets, durations } = reader;
  const delays = buckets('ors_event_loop_delay_seconds');
  return {
    version: labelValues(now, 'ors_build_info', 'version')[0] ?? null,
    ready,
    uptimeSeconds,
    windowSeconds,
    sessions: labelValues(now, 'ors_sessions', 'environment').map((environment) => sessionsOf(now, environment)),
    calls: { ...durations(CALLS), running: value('ors_calls_running') },
    tools: toolsOf(now, reader),
    setups: labelValues(now, `${SETUPS}_count`, 'environment').map((environment) => ({
      environment,
      ...durations(SETUPS, { environment }),
    })),
    queues: labelValues(now, 'ors_queue_length', 'queue').map((queue) => ({
      queue,
      length: value('ors_queue_length', { queue }),
      ...durations('ors_queue_wait_seconds', { queue }),
    })),
    /** Number of rejected requests since the server started, by reason. */
    refused: Object.fromEntries(
      labelValues(now, 'ors_refused_total', 'reason').map((reason) => [reason, value('ors_refused_total', { reason })]),
    ),
    requestsPerSecond: rate('ors_http_request_duration_seconds_count'),
    streams: {
      open: value('ors_streams_open'),
      stalled: value('ors_streams_stalled'),
      bytesPerSecond: rate('ors_stream_bytes_total'),
    },
    eventLoopDelay: { p50: histogramQuantile(0.5, delays), p99: histogramQuantile(0.99, delays) },
    /** Fraction of one processor. */
    cpu: rate('process_cpu_seconds_total'),
    memoryBytes: value('process_resident_memory_bytes'),
  };
}

/** Reads metrics as changes since an earlier scrape. */
function createWindowReader(now: Scrape, before: Scrape | undefined, windowSeconds: number) {
  const counted = (name: string, labels?: Labels) =>
    sumMetric(now, name, labels) - (before ? sumMetric(before, name, labels) : 0);
  const rate = (name: string, labels?: Labels) => (windowSeconds > 0 ? counted(name, labels) / windowSeconds : 0);
  const buckets = (name: string, labels?: Labels) =>
    diffBuckets(before && histogramBuckets(before, name, labels), histogramBuckets(now, name, labels));
  const durations = (name: string, labels?: Labels): DurationStats => {
    const observed = buckets(name, labels);
    return {
      perSecond: rate(`${name}_count`, labels),
      p50: histogramQuantile(0.5, observed),
      p95: histogramQuantile(0.95, observed),
    };
  };
  return { counted, rate, buckets, durations };
}

function sessionsOf(now: Scrape, environment: string): SessionOverview {
  const counts = SESSION_STATES.map(
    (state) => [state, sumMetric(now, 'ors_sessions', { environment, state })] as const,
  );
  // Its keys are the states.
  return { environment, ...(Object.fromEntries(counts) as Record<(typeof SESSION_STATES)[number], number>) };
}

function toolsOf(now: Scrape, { counted, durations }: ReturnType<typeof createWindowReader>) {
  const count = `${CALLS}_count`;
  return labelValues(now, count, 'environment').flatMap((environment) =>
    labelValues(now, count, 'tool', { environment }).map((tool) => {
      const labels = { environment, tool };
      const calls = counted(count, labels);
      const outcomes = (...names: string[]) => sum(names.map((outcome) => counted(count, { ...labels, outcome })));
      // Fractions of the calls; null without calls.
      const part = (some: number) => (calls > 0 ? some / calls : null);
      return {
        ...labels,
        ...durations(CALLS, labels),
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
  const count = buckets.get(Number.POSITIVE_INFINITY) ?? 0;
  if (count <= 0) return null;
  const rank = part * count;
  let below = 0;
  let lower = 0;
  for (const [bound, upTo] of buckets) {
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

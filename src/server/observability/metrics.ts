import { PACKAGE } from '../../core/node/index.ts';
import type { StreamWatch } from '../../http/index.ts';
import {
  counters,
  gauges,
  type HistogramMetric,
  histograms,
  type MetricFamily,
  type MetricValue,
  measureEventLoopLag,
  processFamilies,
} from '../../metrics/index.ts';
import type { AuthorWorkEnd, Observer, ObserverSpan, RequestEnd } from './observer.ts';

/** Session states; an ended session is in `teardown`. */
const STATES = ['setup', 'idle', 'active', 'finished', 'failed', 'teardown'];

/** Tool labels per environment. An environment that creates tools per task could create any number of names. */
const MAX_TOOL_LABELS = 200;

/** Values that are read at the time of a scrape. */
interface ServerGauges {
  readonly sessions: Iterable<{ readonly environment: { readonly name: string }; readonly state: string }>;
  readonly isReady: boolean;
}

export type ServerMetrics = ReturnType<typeof createMetrics>;

/** Creates the Prometheus metrics of a server with these environments. */
export function createMetrics(environments: readonly string[]) {
  const server = serverFamilies();
  const ownProcess = processFamilies();
  server.build.labels(PACKAGE.version, process.version).value = 1;
  // Rates are correct from the first event only if the counter was 0 before.
  for (const environment of environments) server.sessionsOpened.labels(environment);
  const ending = new Map<string, number>();
  const eventLoop = measureEventLoopLag((seconds) => server.eventLoopDelay.labels().observe(seconds));
  return {
    observer: metricsObserver(server, ending),
    contentType: 'text/plain; version=0.0.4; charset=utf-8',
    /** Returns all metrics in the Prometheus text format. */
    text({ sessions, isReady }: ServerGauges): string {
      ownProcess.read();
      server.ready.labels().value = isReady ? 1 : 0;
      server.sessions.clear();
      for (const environment of environments) {
        for (const state of STATES) server.sessions.labels(environment, state);
        server.sessions.labels(environment, 'teardown').value = ending.get(environment) ?? 0;
      }
      // Counting at each scrape keeps the numbers exact.
      for (const { environment, state } of sessions) server.sessions.labels(environment.name, state).value++;
      return [...Object.values(server), ...ownProcess.all].map((family) => family.text()).join('');
    },
    /** Stops measuring the event loop. Can be called more than once. */
    close: eventLoop.stop,
  };
}

/** Upper bounds in seconds: calls take from a fraction of a millisecond to half an hour. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];
/** Fewer bounds, since there is one histogram per operation and status. */
const REQUEST_DURATIONS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 600];
const DELAYS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

type ServerFamilies = ReturnType<typeof serverFamilies>;

/** Creates the metric families. Clients cannot increase the number of values of any label. */
function serverFamilies() {
  const of = (name: string, help: string, ...labels: string[]) => ({ name, help, labels });
  return {
    build: gauges(of('ors_build_info', 'Versions of the server and of Node; always 1.', 'version', 'node')),
    ready: gauges(of('ors_ready', '1 if the server accepts new episodes, otherwise 0.')),

    sessions: gauges(of('ors_sessions', 'Sessions by state.', 'environment', 'state')),
    sessionsOpened: counters(of('ors_sessions_opened_total', 'Opened sessions.', 'environment')),
    sessionsEnded: counters(of('ors_sessions_ended_total', 'Ended sessions by reason.', 'environment', 'reason')),
    refused: counters(of('ors_refused_total', 'Rejected requests by reason.', 'reason')),

    setup: histograms(of('ors_setup_duration_seconds', 'Duration of setups.', 'environment', 'outcome'), DURATIONS),
    teardown: histograms(
      of('ors_teardown_duration_seconds', 'Duration of teardowns.', 'environment', 'outcome'),
      DURATIONS,
    ),
    scoring: histograms(
      of('ors_score_group_duration_seconds', 'Duration of comparisons of rollouts.', 'environment', 'outcome'),
      DURATIONS,
    ),
    calls: histograms(
      of('ors_call_duration_seconds', 'Duration of calls without queueing.', 'environment', 'tool', 'outcome'),
      DURATIONS,
    ),
    callsRunning: gauges(of('ors_calls_running', 'Running calls.', 'environment')),
    callsRepeated: counters(of('ors_calls_repeated_total', 'Calls requested again by their task_id.', 'found')),
    queueLength: gauges(of('ors_queue_length', 'Entries waiting in a queue.', 'queue')),
    queueWait: histograms(of('ors_queue_wait_seconds', 'Completed waits in a queue.', 'queue'), DURATIONS),

    requests: histograms(
      of('ors_http_request_duration_seconds', 'Requests until their response was sent.', 'operation', 'status'),
      REQUEST_DURATIONS,
    ),
    requestsOpen: gauges(of('ors_http_requests_open', 'Requests without a complete response.')),
    streamsOpen: gauges(of('ors_streams_open', 'Open event streams.')),
    streamsStalled: gauges(of('ors_streams_stalled', 'Event streams that wait for their reader.')),
    streamStalledSeconds: counters(
      of('ors_stream_stalled_seconds_total', 'Total time that event streams waited for their readers.'),
    ),
    readersCut: counters(of('ors_readers_cut_total', 'Clients disconnected because they stopped reading a response.')),
    streamBytes: counters(of('ors_stream_bytes_total', 'Bytes of events sent.')),

    eventLoopDelay: histograms(
      of('ors_event_loop_delay_seconds', 'Delay of an event loop timer, measured every 50 ms.'),
      DELAYS,
    ),
  };
}

/**
 * Creates the observer that counts and measures.
 *
 * @param ending receives the number of sessions in teardown by environment.
 */
function metricsObserver(families: ServerFamilies, ending: Map<string, number>): Partial<Observer> {
  const toolLabel = boundedNames(MAX_TOOL_LABELS);
  // Every server has this queue, even if nothing has waited in it yet.
  families.queueLength.labels('tool');
  families.queueWait.labels('tool');
  return {
    request: () => new MeasuredRequest(families),
    authorWork: ({ kind, environment, tool }) =>
      kind === 'call'
        ? new MeasuredCall(families, environment, toolLabel(environment, tool))
        : new MeasuredWork(families[kind], environment),
    stream: () => new MeasuredStream(families),
    readerStalled: () => families.readersCut.labels().value++,
    sessionOpened: ({ environment }) => families.sessionsOpened.labels(environment).value++,
    sessionEnded({ environment }, reason) {
      add(ending, environment, 1);
      families.sessionsEnded.labels(environment, reason).value++;
    },
    sessionTornDown: ({ environment }) => add(ending, environment, -1),
    waiting(queue) {
      const since = performance.now();
      const length = families.queueLength.labels(queue);
      length.value++;
      return () => {
        length.value--;
        families.queueWait.labels(queue).observe(secondsSince(since));
      };
    },
    callRepeated: (found) => families.callsRepeated.labels(found).value++,
    rejected: (reason) => families.refused.labels(reason).value++,
  };
}

/** Not valid as names of tools, because of the parentheses. */
const NO_NAME = '(none)';
const OTHER_NAME = '(other)';

/** Returns a function that maps names to labels: the first `max` names of each group stay, all others become `(other)`. */
function boundedNames(max: number): (group: string, name: string | undefined) => string {
  const known = new Map<string, Set<string>>();
  return (group, name) => {
    if (name === undefined) return NO_NAME;
    const names = known.get(group) ?? new Set();
    known.set(group, names);
    if (names.has(name)) return name;
    if (names.size >= max) return OTHER_NAME;
    names.add(name);
    return name;
  };
}

// Classes, since closures would take twice the memory and there can be very many spans at a time.

class MeasuredRequest implements ObserverSpan<RequestEnd> {
  readonly #families: ServerFamilies;
  readonly #since = performance.now();

  constructor(families: ServerFamilies) {
    this.#families = families;
    families.requestsOpen.labels().value++;
  }

  ended({ operation = 'none', status }: RequestEnd): void {
    this.#families.requestsOpen.labels().value--;
    this.#families.requests.labels(operation, String(status)).observe(secondsSince(this.#since));
  }
}

class MeasuredCall implements ObserverSpan<AuthorWorkEnd> {
  readonly #families: ServerFamilies;
  readonly #environment: string;
  readonly #tool: string;
  readonly #running: MetricValue;
  readonly #since = performance.now();

  constructor(families: ServerFamilies, environment: string, tool: string) {
    this.#families = families;
    this.#environment = environment;
    this.#tool = tool;
    this.#running = families.callsRunning.labels(environment);
    this.#running.value++;
  }

  ended({ outcome }: AuthorWorkEnd): void {
    this.#running.value--;
    this.#families.calls.labels(this.#environment, this.#tool, outcome).observe(secondsSince(this.#since));
  }
}

class MeasuredWork implements ObserverSpan<AuthorWorkEnd> {
  readonly #family: MetricFamily<HistogramMetric>;
  readonly #environment: string;
  readonly #since = performance.now();

  constructor(family: MetricFamily<HistogramMetric>, environment: string) {
    this.#family = family;
    this.#environment = environment;
  }

  ended({ outcome }: AuthorWorkEnd): void {
    this.#family.labels(this.#environment, outcome).observe(secondsSince(this.#since));
  }
}

class MeasuredStream implements StreamWatch {
  readonly #families: ServerFamilies;
  #stalledSince: number | undefined;

  constructor(families: ServerFamilies) {
    this.#families = families;
    families.streamsOpen.labels().value++;
  }

  sent(bytes: number): void {
    this.#families.streamBytes.labels().value += bytes;
  }

  waits(isWaiting: boolean): void {
    this.#endStall();
    if (!isWaiting) return;
    this.#stalledSince = performance.now();
    this.#families.streamsStalled.labels().value++;
  }

  closed(): void {
    this.#endStall();
    this.#families.streamsOpen.labels().value--;
  }

  #endStall(): void {
    if (this.#stalledSince === undefined) return;
    this.#families.streamsStalled.labels().value--;
    this.#families.streamStalledSeconds.labels().value += secondsSince(this.#stalledSince);
    this.#stalledSince = undefined;
  }
}

const add = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by);
};

const secondsSince = (since: number): number => (performance.now() - since) / 1_000;

import type { StreamWatch } from '../../../http/index.ts';
import type { HistogramMetric, MetricFamily, MetricValue } from '../../../metrics/index.ts';
import type { AuthorWorkEnd, Observer, ObserverSpan, RequestEnd } from '../observer.ts';
import { boundedNames } from './bounded-names.ts';
import type { ServerFamilies } from './families.ts';

/** Tools' names as labels; an environment that makes names for single tasks could make any number of them. */
const MAX_TOOLS = 200;

/** Counts and measures what happens. Sessions that have ended and are not torn down are counted apart, by environment. */
export function metricsObserver(all: ServerFamilies, ending: Map<string, number>): Partial<Observer> {
  const toolLabel = boundedNames(MAX_TOOLS);
  // Every server has this queue, also where nothing has waited yet.
  all.queueLength.labels('tool');
  all.queueWait.labels('tool');
  return {
    request: () => new MeasuredRequest(all),
    authorWork: ({ kind, environment, tool }) =>
      kind === 'call'
        ? new MeasuredCall(all, environment, toolLabel(environment, tool))
        : new MeasuredWork(all[kind], environment),
    stream: () => new MeasuredStream(all),
    readerStalled: () => all.readersCut.labels().value++,
    sessionOpened: ({ environment }) => all.sessionsOpened.labels(environment).value++,
    sessionEnded({ environment }, reason) {
      add(ending, environment, 1);
      all.sessionsEnded.labels(environment, reason).value++;
    },
    sessionTornDown: ({ environment }) => add(ending, environment, -1),
    waiting(queue) {
      const since = performance.now();
      const length = all.queueLength.labels(queue);
      length.value++;
      return () => {
        length.value--;
        all.queueWait.labels(queue).observe(secondsSince(since));
      };
    },
    callRepeated: (found) => all.callsRepeated.labels(found).value++,
    rejected: (reason) => all.refused.labels(reason).value++,
  };
}

// There may be very many requests, calls and streams at once, and closures would take twice the memory of these.

class MeasuredRequest implements ObserverSpan<RequestEnd> {
  readonly #all: ServerFamilies;
  readonly #since = performance.now();

  constructor(all: ServerFamilies) {
    this.#all = all;
    all.requestsOpen.labels().value++;
  }

  ended({ operation = 'none', status }: RequestEnd): void {
    this.#all.requestsOpen.labels().value--;
    this.#all.requests.labels(operation, String(status)).observe(secondsSince(this.#since));
  }
}

class MeasuredCall implements ObserverSpan<AuthorWorkEnd> {
  readonly #all: ServerFamilies;
  readonly #environment: string;
  readonly #tool: string;
  readonly #running: MetricValue;
  readonly #since = performance.now();

  constructor(all: ServerFamilies, environment: string, tool: string) {
    this.#all = all;
    this.#environment = environment;
    this.#tool = tool;
    this.#running = all.callsRunning.labels(environment);
    this.#running.value++;
  }

  ended({ outcome }: AuthorWorkEnd): void {
    this.#running.value--;
    this.#all.calls.labels(this.#environment, this.#tool, outcome).observe(secondsSince(this.#since));
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
  readonly #all: ServerFamilies;
  #stalledSince: number | undefined;

  constructor(all: ServerFamilies) {
    this.#all = all;
    all.streamsOpen.labels().value++;
  }

  sent(bytes: number): void {
    this.#all.streamBytes.labels().value += bytes;
  }

  waits(isWaiting: boolean): void {
    this.#goOn();
    if (!isWaiting) return;
    this.#stalledSince = performance.now();
    this.#all.streamsStalled.labels().value++;
  }

  closed(): void {
    this.#goOn();
    this.#all.streamsOpen.labels().value--;
  }

  #goOn(): void {
    if (this.#stalledSince === undefined) return;
    this.#all.streamsStalled.labels().value--;
    this.#all.streamStalledSeconds.labels().value += secondsSince(this.#stalledSince);
    this.#stalledSince = undefined;
  }
}

const add = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by);
};

const secondsSince = (since: number): number => (performance.now() - since) / 1_000;

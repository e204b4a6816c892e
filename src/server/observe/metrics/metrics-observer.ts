import type { StreamWatch } from '../../../http/index.ts';
import type { Family, Figure, Histogram } from '../../../metrics/index.ts';
import type { Departure, Observer, Watch, WorkEnd } from '../observer.ts';
import { boundedNames } from './bounded-names.ts';
import type { ServerFamilies } from './families.ts';

/** Tools' names as labels; an environment that makes names for single tasks could make any number of them. */
const MOST_TOOLS = 200;

/** Counts and measures what happens. Sessions that have ended and are not torn down are counted apart, by environment. */
export function metricsObserver(all: ServerFamilies, ending: Map<string, number>): Partial<Observer> {
  const toolLabel = boundedNames(MOST_TOOLS);
  // Every server has this queue, also where nothing has waited yet.
  all.queueLength.at('tool');
  all.queueWait.at('tool');
  return {
    request: () => new MeasuredRequest(all),
    work: ({ kind, environment, tool }) =>
      kind === 'call'
        ? new MeasuredCall(all, environment, toolLabel(environment, tool))
        : new MeasuredWork(all[kind], environment),
    stream: () => new MeasuredStream(all),
    readerStalled: () => all.readersCut.at().value++,
    sessionOpened: ({ environment }) => all.sessionsOpened.at(environment).value++,
    sessionEnded({ environment }, reason) {
      add(ending, environment, 1);
      all.sessionsEnded.at(environment, reason).value++;
    },
    sessionGone: ({ environment }) => add(ending, environment, -1),
    waiting(queue) {
      const since = performance.now();
      const length = all.queueLength.at(queue);
      length.value++;
      return () => {
        length.value--;
        all.queueWait.at(queue).observe(secondsSince(since));
      };
    },
    callRepeated: (found) => all.callsRepeated.at(found).value++,
    refused: (reason) => all.refused.at(reason).value++,
  };
}

// There may be very many requests, calls and streams at once, and closures would take twice the memory of these.

class MeasuredRequest implements Watch<Departure> {
  readonly #all: ServerFamilies;
  readonly #since = performance.now();

  constructor(all: ServerFamilies) {
    this.#all = all;
    all.requestsOpen.at().value++;
  }

  ended({ operation = 'none', status }: Departure): void {
    this.#all.requestsOpen.at().value--;
    this.#all.requests.at(operation, String(status)).observe(secondsSince(this.#since));
  }
}

class MeasuredCall implements Watch<WorkEnd> {
  readonly #all: ServerFamilies;
  readonly #environment: string;
  readonly #tool: string;
  readonly #running: Figure;
  readonly #since = performance.now();

  constructor(all: ServerFamilies, environment: string, tool: string) {
    this.#all = all;
    this.#environment = environment;
    this.#tool = tool;
    this.#running = all.callsRunning.at(environment);
    this.#running.value++;
  }

  ended({ outcome }: WorkEnd): void {
    this.#running.value--;
    this.#all.calls.at(this.#environment, this.#tool, outcome).observe(secondsSince(this.#since));
  }
}

class MeasuredWork implements Watch<WorkEnd> {
  readonly #family: Family<Histogram>;
  readonly #environment: string;
  readonly #since = performance.now();

  constructor(family: Family<Histogram>, environment: string) {
    this.#family = family;
    this.#environment = environment;
  }

  ended({ outcome }: WorkEnd): void {
    this.#family.at(this.#environment, outcome).observe(secondsSince(this.#since));
  }
}

class MeasuredStream implements StreamWatch {
  readonly #all: ServerFamilies;
  #stalledSince: number | undefined;

  constructor(all: ServerFamilies) {
    this.#all = all;
    all.streamsOpen.at().value++;
  }

  sent(bytes: number): void {
    this.#all.streamBytes.at().value += bytes;
  }

  waits(isWaiting: boolean): void {
    this.#goOn();
    if (!isWaiting) return;
    this.#stalledSince = performance.now();
    this.#all.streamsStalled.at().value++;
  }

  closed(): void {
    this.#goOn();
    this.#all.streamsOpen.at().value--;
  }

  #goOn(): void {
    if (this.#stalledSince === undefined) return;
    this.#all.streamsStalled.at().value--;
    this.#all.streamStalledSeconds.at().value += secondsSince(this.#stalledSince);
    this.#stalledSince = undefined;
  }
}

const add = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by);
};

const secondsSince = (since: number): number => (performance.now() - since) / 1_000;

import type { StreamWatch } from '../../../http/index.ts';
import type { Observer, Watch, WorkEnd } from '../observer.ts';
import { boundedNames } from './bounded-names.ts';
import type { ServerFamilies } from './families.ts';

/** Tools' names as labels; an environment that makes names for single tasks could make any number of them. */
const MOST_TOOLS = 200;

/** Counts and measures what happens. Sessions that have ended and are not torn down are counted apart, by environment. */
export function metricsObserver(all: ServerFamilies, ending: Map<string, number>): Partial<Observer> {
  const toolLabel = boundedNames(MOST_TOOLS);
  const requestsOpen = all.requestsOpen.at();
  // Every server has this queue, also where nothing has waited yet.
  all.queueLength.at('tool');
  all.queueWait.at('tool');
  return {
    request() {
      const since = performance.now();
      requestsOpen.value++;
      return {
        ended({ operation = 'none', status }) {
          requestsOpen.value--;
          all.requests.at(operation, String(status)).observe(secondsSince(since));
        },
      };
    },
    work({ kind, environment, tool }) {
      if (kind === 'setup') return timed((seconds, outcome) => all.setup.at(environment, outcome).observe(seconds));
      if (kind === 'teardown')
        return timed((seconds, outcome) => all.teardown.at(environment, outcome).observe(seconds));
      const label = toolLabel(environment, tool);
      const running = all.callsRunning.at(environment);
      running.value++;
      return timed((seconds, outcome) => {
        running.value--;
        all.calls.at(environment, label, outcome).observe(seconds);
      });
    },
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

function timed(tell: (seconds: number, outcome: string) => void): Watch<WorkEnd> {
  const since = performance.now();
  return { ended: ({ outcome }) => tell(secondsSince(since), outcome) };
}

const add = (counts: Map<string, number>, key: string, by: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + by);
};

const secondsSince = (since: number): number => (performance.now() - since) / 1_000;

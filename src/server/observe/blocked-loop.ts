import type { Logger } from 'pino';
import { watchEventLoop } from '../../metrics/index.ts';
import type { Observer, Work } from './observer.ts';

/** From this long on other sessions notice, in milliseconds. */
const BLOCKED_MS = 200;
const MOST_NAMED = 5;

/**
 * Warns when nothing else could run in this thread for a while: for how long, and whose code ran meanwhile. Where one
 * piece of code did not return for so long it is named alone; else all that were under way are.
 */
export function watchForBlocks(log: Logger): { readonly observer: Partial<Observer>; readonly stop: () => void } {
  // By number, since to be found as an object would cost each piece of work more than to be told of it.
  const running = new Map<number, Work>();
  let ended: Work[] = [];
  let begun = 0;
  let culprit: Work | undefined;
  const { stop } = watchEventLoop((seconds) => {
    const ms = Math.round(seconds * 1_000);
    const during = culprit ? [culprit] : [...running.values(), ...ended].slice(0, MOST_NAMED);
    if (ms >= BLOCKED_MS && during.length > 0) tell(ms, during);
    culprit = undefined;
    ended = [];
  });
  const tell = (ms: number, during: readonly Work[]) => {
    const names = during.map(nameOf).join(', ');
    const [first] = during;
    log.warn(
      { ms, ...(during.length === 1 && { sid: first?.sid, environment: first?.environment, tool: first?.tool }) },
      culprit
        ? `${names} blocked the event loop for ${ms} ms; every session waited`
        : `the event loop was blocked for ${ms} ms while these ran: ${names}; every session waited`,
    );
  };
  return {
    stop,
    observer: {
      work(work) {
        const number = begun++;
        running.set(number, work);
        return {
          run(code) {
            const since = performance.now();
            try {
              return code();
            } finally {
              if (performance.now() - since >= BLOCKED_MS) culprit = work;
            }
          },
          ended() {
            running.delete(number);
            // Those that run are named first, so more are never told of.
            if (ended.length < MOST_NAMED) ended.push(work);
          },
        };
      },
    },
  };
}

const nameOf = ({ kind, tool, environment }: Work): string =>
  kind === 'call' ? `tool '${tool ?? '?'}' of '${environment}'` : `${kind} of '${environment}'`;

import { firstTimes } from '../../core/index.ts';
import type { RunProgress } from '../../rollout/index.ts';
import { countUnit, createProgressBar } from '../terminal/progress.ts';

/** What is seen of a run while it is under way. */
export interface RunDisplay extends Disposable {
  show(progress: RunProgress): void;
  /** Says what the run waits for: on a line, and beside the bar until it is over. */
  showWaiting(line: string, note: string | undefined): void;
  /** Says that a provider asks for patience: on a line once a minute, and beside the bar for as long. */
  showRetryWait(ms: number, reason: string): void;
  /** Prints a line; the same one once. */
  printOnce(line: string): void;
}

/** A shorter pause is nothing to be told. */
const WORTH_TELLING_MS = 10_000;
const PAUSE_MS = 60_000;
const REDRAW_MS = 1_000;
/** So many different lines are printed. */
const MAX_LINES = 20;

/** @param hide takes out of a line what nobody may read. */
export function createRunDisplay(hide: (text: string) => string): RunDisplay {
  const progress = createProgressBar(countUnit('episode'));
  let last: RunProgress | undefined;
  let waiting: string | undefined;
  let [patientUntil, toldAt] = [0, Number.NEGATIVE_INFINITY];
  const isFirst = firstTimes(MAX_LINES);
  const draw = () => {
    if (!last) return;
    const left = Math.ceil((patientUntil - performance.now()) / 1000);
    const notes = [notesOf(last), waiting ?? '', left > 0 ? `the provider asks for ${left} s of patience` : ''];
    progress.show(last.ended, last.planned, notes.filter((note) => note !== '').join('  '));
  };
  const print = (line: string) => progress.printLine(`ors: ${hide(line)}`);
  const timer = setInterval(draw, REDRAW_MS).unref();
  return {
    show(now) {
      last = now;
      draw();
    },
    showWaiting(line, note) {
      waiting = note;
      print(line);
      draw();
    },
    showRetryWait(ms, reason) {
      if (ms < WORTH_TELLING_MS) return;
      const now = performance.now();
      patientUntil = Math.max(patientUntil, now + ms);
      if (now - toldAt < PAUSE_MS) return;
      toldAt = now;
      print(
        `the provider asks for ${Math.ceil(ms / 1000)} s of patience (${reason}); the run waits, and Ctrl-C ends it`,
      );
    },
    printOnce(line) {
      if (isFirst(line)) print(line);
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      progress[Symbol.dispose]();
    },
  };
}

function notesOf({ mean, failed }: Pick<RunProgress, 'mean' | 'failed'>): string {
  const notes = [mean === null ? '' : `mean ${mean.toPrecision(3)}`, failed === 0 ? '' : `${failed} failed`];
  return notes.filter((note) => note !== '').join('  ');
}

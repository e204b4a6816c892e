import type { ConformanceProgress } from '../../conformance/index.ts';
import { formatBytes, noun, plural, truncate } from '../../core/index.ts';
import { duration, figure, openTerminal, type Terminal } from './terminal.ts';

const BAR = 20;
const ERASE = '\r\x1b[2K';
/** Shortest time between two updates. */
const REDRAW_INTERVAL_MS = 100;

/** Formats what is counted. */
export interface ProgressUnit {
  readonly some: (count: number) => string;
  readonly someOf: (count: number, all: number) => string;
}

export const byteUnit: ProgressUnit = {
  some: formatBytes,
  someOf: (count, all) => `${formatBytes(count)} of ${formatBytes(all)}`,
};
export const countUnit = (unit: string): ProgressUnit => ({
  some: (count) => `${figure(count)} ${noun(count, unit)}`,
  someOf: (count, all) => `${figure(count)} of ${plural(all, unit)}`,
});

/** A line that is redrawn in place on a terminal; prints nothing elsewhere. */
function createStatusLine(terminal: Terminal) {
  const draw = (text: string) => {
    if (terminal.isInteractive) terminal.print(ERASE + truncate(text, terminal.width - 1));
  };
  return { draw, erase: () => draw('') };
}

/** Progress of long work on a status line. */
export type ProgressBar = ReturnType<typeof createProgressBar>;

/** Creates a progress bar, which is drawn by `show`: synchronous work blocks timers. */
export function createProgressBar(unit: ProgressUnit, terminal: Terminal = openTerminal(process.stderr)) {
  const { draw, erase } = createStatusLine(terminal);
  const began = performance.now();
  let drawn = Number.NEGATIVE_INFINITY;
  // Work that was already done does not count for the rate.
  let before: number | undefined;
  return {
    /**
     * @param all total, if it is known.
     * @param note text after the bar.
     */
    show(done: number, all?: number, note?: string): void {
      before ??= done;
      const now = performance.now();
      if (now - drawn < REDRAW_INTERVAL_MS && done !== all) return;
      drawn = now;
      const text = formatProgress(unit, { done, all, seconds: (now - began) / 1000, before });
      draw(note ? `${text}  ${note}` : text);
    },
    /** Prints a line above the bar. */
    printLine(line: string): void {
      erase();
      terminal.print(`${line}\n`);
      drawn = Number.NEGATIVE_INFINITY;
    },
    [Symbol.dispose]: erase,
  };
}

/** Creates a progress bar for a command that prints data. It is hidden if both would share a terminal. */
export function createDataProgressBar(unit: ProgressUnit, outputFile: string | undefined): ProgressBar {
  const terminal = openTerminal(process.stderr);
  const isHidden = outputFile === undefined && process.stdout.isTTY;
  return createProgressBar(unit, isHidden ? { ...terminal, isInteractive: false } : terminal);
}

interface ProgressState {
  readonly done: number;
  readonly all: number | undefined;
  readonly seconds: number;
  /** Amount that was done before. @default 0 */
  readonly before?: number;
}

function barText(part: number): string {
  const filled = Math.round(part * BAR);
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
}

/** `██████░░░░░░░░░░░░░░ 30 of 100 traces  12 traces/s  6 s left`. */
export function formatProgress(unit: ProgressUnit, { done, all, seconds, before = 0 }: ProgressState): string {
  const rate = seconds > 0 ? (done - before) / seconds : 0;
  const pace = `${unit.some(rate)}/s`;
  if (all === undefined) return `${unit.some(done)}  ${pace}  ${duration(Math.floor(seconds))}`;
  const part = all === 0 ? 1 : Math.min(1, done / all);
  const left = rate > 0 ? `${duration(Math.ceil(Math.max(0, all - done) / rate))} left` : '';
  return `${barText(part)} ${unit.someOf(done, all)}  ${pace}  ${left}`.trimEnd();
}

/** Progress of checks. */
export type CheckProgress = Pick<ConformanceProgress, 'done' | 'total' | 'result'>;

/** Shows the progress of checks, and that time passes while a check waits. */
export function createCheckProgressLine(terminal: Terminal) {
  const { draw, erase } = createStatusLine(terminal);
  const began = performance.now();
  let last: CheckProgress = { done: 0, total: 0 };
  let group = '';
  const redraw = () => {
    const { done, total } = last;
    const bar = barText(total === 0 ? 0 : done / total);
    draw(`${bar} ${done}/${total}  ${group}  ${Math.round((performance.now() - began) / 1_000)} s`);
  };
  const timer = setInterval(redraw, 1_000);
  return {
    show(progress: CheckProgress): void {
      last = progress;
      group = progress.result?.check.split('/')[0] ?? group;
      redraw();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      erase();
    },
  };
}

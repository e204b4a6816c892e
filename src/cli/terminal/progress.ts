import type { ConformanceProgress } from '../../conformance/index.ts';
import { formatBytes, noun, plural, truncate } from '../../core/index.ts';
import { type Terminal, duration, figure, openTerminal } from './terminal.ts';

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

/** Progress of long work, as one line on a terminal; prints nothing elsewhere. */
export interface ProgressBar extends Disposable {
  /**
   * @param all total, if it is known.
   * @param note text after the bar.
   */
  show(done: number, all?: number, note?: string): void;
  /** Prints a line above the bar. */
  printLine(line: string): void;
}

/** Creates a progress bar, which is drawn by `show`: synchronous work blocks timers. */
export function createProgressBar(unit: ProgressUnit, terminal: Terminal = openTerminal(process.stderr)): ProgressBar {
  const began = performance.now();
  let drawn = Number.NEGATIVE_INFINITY;
  // Work that was already done does not count for the rate.
  let before: number | undefined;
  const erase = () => terminal.isInteractive && terminal.print(ERASE);
  return {
    show(done, all, note) {
      before ??= done;
      const now = performance.now();
      if (!terminal.isInteractive || (now - drawn < REDRAW_INTERVAL_MS && done !== all)) return;
      drawn = now;
      const text = formatProgress(unit, { done, all, seconds: (now - began) / 1000, before });
      terminal.print(ERASE + truncate(note ? `${text}  ${note}` : text, terminal.width - 1));
    },
    printLine(line) {
      erase();
      terminal.print(`${line}\n`);
      drawn = Number.NEGATIVE_INFINITY;
    },
    [Symbol.dispose]: () => void erase(),
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

/** Progress of a conformance run. */
export interface ProgressLine extends Disposable {
  show(progress: Pick<ConformanceProgress, 'done' | 'total' | 'result'>): void;
}

export function createProgressLine(terminal: Terminal): ProgressLine {
  if (!terminal.isInteractive) return { show: () => undefined, [Symbol.dispose]: () => undefined };
  const began = performance.now();
  let last = { done: 0, total: 0 };
  let group = '';
  const draw = () => {
    const { done, total } = last;
    const bar = barText(total === 0 ? 0 : done / total);
    const seconds = Math.round((performance.now() - began) / 1_000);
    terminal.print(ERASE + truncate(`${bar} ${done}/${total}  ${group}  ${seconds} s`, terminal.width - 1));
  };
  // Shows that time passes while a check waits.
  const timer = setInterval(draw, 1_000);
  return {
    show({ done, total, result }) {
      last = { done, total };
      group = result?.check.split('/')[0] ?? group;
      draw();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      terminal.print(ERASE);
    },
  };
}

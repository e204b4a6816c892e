import { formatBytes, noun, plural, truncate } from '../../core/index.ts';
import { duration, figure } from './figures.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const BAR = 20;
const ERASE = '\r\x1b[2K';
/** No terminal need be written to more often. */
const PAUSE_MS = 100;

/** What is counted, in words. */
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

/** One line on standard error that says how far long work is; nothing where nobody looks. */
export interface ProgressBar extends Disposable {
  /**
   * @param all undefined where that is not known.
   * @param note what else there is to say.
   */
  show(done: number, all?: number, note?: string): void;
  /** Prints a line above it. */
  printLine(line: string): void;
}

/** Drawn by those who work and not by a timer: some work lets none fire. */
export function createProgressBar(unit: ProgressUnit, terminal: Terminal = openTerminal(process.stderr)): ProgressBar {
  const began = performance.now();
  let drawn = Number.NEGATIVE_INFINITY;
  // What was done before does not count for the rate.
  let before: number | undefined;
  const erase = () => terminal.isInteractive && terminal.print(ERASE);
  return {
    show(done, all, note) {
      before ??= done;
      const now = performance.now();
      if (!terminal.isInteractive || (now - drawn < PAUSE_MS && done !== all)) return;
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

interface ProgressState {
  readonly done: number;
  readonly all: number | undefined;
  readonly seconds: number;
  /** How much of it was done before. Default: nothing. */
  readonly before?: number;
}

/** `██████░░░░░░░░░░░░░░ 30 of 100 traces  12 traces/s  6 s left`. */
export function formatProgress(unit: ProgressUnit, { done, all, seconds, before = 0 }: ProgressState): string {
  const rate = seconds > 0 ? (done - before) / seconds : 0;
  const pace = `${unit.some(rate)}/s`;
  if (all === undefined) return `${unit.some(done)}  ${pace}  ${duration(Math.floor(seconds))}`;
  const part = all === 0 ? 1 : Math.min(1, done / all);
  const filled = Math.round(part * BAR);
  const left = rate > 0 ? `${duration(Math.ceil(Math.max(0, all - done) / rate))} left` : '';
  return `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${unit.someOf(done, all)}  ${pace}  ${left}`.trimEnd();
}

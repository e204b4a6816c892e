import type { ConformanceProgress } from '../../conformance/index.ts';
import { truncate } from '../../core/index.ts';
import type { Terminal } from '../terminal/terminal.ts';

const BAR = 20;
const ERASE = '\r\x1b[2K';

/** One line that says how far a run is; nothing where nobody looks. */
export interface ProgressLine extends Disposable {
  show(progress: Pick<ConformanceProgress, 'done' | 'total' | 'result'>): void;
}

export function createProgressLine(terminal: Terminal): ProgressLine {
  if (!terminal.isInteractive) return { show: () => undefined, [Symbol.dispose]: () => undefined };
  const began = performance.now();
  let [last, group] = [{ done: 0, total: 0 }, ''];
  const draw = () => {
    const { done, total } = last;
    const filled = total === 0 ? 0 : Math.round((done / total) * BAR);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
    const seconds = Math.round((performance.now() - began) / 1_000);
    terminal.print(ERASE + truncate(`${bar} ${done}/${total}  ${group}  ${seconds} s`, terminal.width - 1));
  };
  // Checks that wait are seen to wait.
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

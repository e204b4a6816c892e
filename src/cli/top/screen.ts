import { truncate } from '../../core/index.ts';
import { safeJson } from '../terminal/safe-json.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ServerOverview } from './overview.ts';
import { showOverview } from './show-overview.ts';

/** Where overviews are shown, one after the other. */
export interface OverviewDisplay extends Disposable {
  show(overview: ServerOverview): void;
  /** There is none this time, and why. */
  fail(why: string): void;
}

/** One JSON document a line. */
export const createJsonDisplay = (terminal: Terminal): OverviewDisplay => ({
  show: (overview) => terminal.print(`${safeJson(overview)}\n`),
  ...printed(),
});

/** One page below the other. */
export function createPageDisplay(url: string, terminal: Terminal): OverviewDisplay {
  let between = '';
  return {
    show(overview) {
      terminal.print(`${between}${showOverview(url, overview, terminal).join('\n')}\n`);
      between = '\n';
    },
    ...printed(),
  };
}

/** What is said on standard error is said once, however long it lasts. */
function printed(): Pick<OverviewDisplay, 'fail' | typeof Symbol.dispose> {
  let last = '';
  return {
    fail(why) {
      if (why !== last) process.stderr.write(`ors: ${why}\n`);
      last = why;
    },
    [Symbol.dispose]: () => undefined,
  };
}

/** Where a terminal does not say how many it has. */
const USUAL_ROWS = 24;

const OPEN = '\x1b[?1049h\x1b[?25l';
const CLOSE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

/** A page of its own on a terminal, which afterwards is as it was. */
export function createFullScreenDisplay(
  url: string,
  terminal: Terminal,
  rows: () => number | undefined,
): OverviewDisplay {
  let isOpen = true;
  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    process.off('exit', close);
    terminal.print(CLOSE);
  };
  // A second Ctrl-C ends the process at once.
  process.once('exit', close);
  terminal.print(OPEN);
  let lines: readonly string[] = [];
  const draw = (all: readonly string[]) => {
    const fitting = all.slice(0, (rows() || USUAL_ROWS) - 1);
    terminal.print(HOME + fitting.map((line) => `${line}${CLEAR_LINE}\n`).join('') + CLEAR_BELOW);
  };
  return {
    show(overview) {
      lines = showOverview(url, overview, terminal);
      draw(lines);
    },
    fail: (why) => draw([terminal.style('red', truncate(why, terminal.width)), '', ...lines]),
    [Symbol.dispose]: close,
  };
}

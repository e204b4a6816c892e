import { formatBytes, oneLine, parseNumber, sleep, truncate } from '../../core/index.ts';
import { defineCommand, type FlagValues, orInvalid, parseSeconds, parseServerUrl } from '../command.ts';
import { listenForInterrupts } from '../process.ts';
import { connectionFlags } from '../remote/flags.ts';
import { describeError } from '../report-failure.ts';
import {
  duration,
  figure,
  formatPercent,
  formatRate,
  openTerminal,
  safeJson,
  type Terminal,
} from '../terminal/terminal.ts';
import { computeOverview, SESSION_STATES, type ServerOverview } from '../top/overview.ts';
import { createScrapeWindow, DEFAULT_TIMEOUT_SECONDS, scrapeServer } from '../top/scrape.ts';

const flags = {
  '--once': 'print one overview and exit',
  '--json': 'print JSON, one document per line',
  '--interval <seconds>': { help: 'time between two requests', default: 1, parse: parseInterval },
  ...connectionFlags,
  '--timeout <seconds>': {
    help: `longest wait for one response (default: ${DEFAULT_TIMEOUT_SECONDS})`,
    parse: parseSeconds,
  },
} as const;

type TopFlags = FlagValues<typeof flags>;

export const topCommand = defineCommand({
  name: 'top',
  arguments: [['<url>', 'URL of the server']],
  flags,
  details: `Rates and times are those of the last ten seconds; at first, and with --once, those since the server started.
Ctrl-C leaves and restores the terminal.`,
  examples: ['ors top http://127.0.0.1:8080', 'ors top http://127.0.0.1:8080 --once --json | jq .calls.p95'],
  async run(address, options) {
    const url = parseServerUrl(address);
    using interrupts = listenForInterrupts();
    const { signal } = interrupts;
    // `ors top | head`: exit when the reader of the output is gone.
    process.stdout.on('error', () => process.exit());
    try {
      await watch(url, options, signal);
    } catch (error) {
      // Ctrl-C is the way to leave, not a failure.
      if (!signal.aborted) throw error;
    }
  },
});

async function watch(url: string, options: TopFlags, signal: AbortSignal): Promise<void> {
  const terminal = openTerminal();
  const earlier = createScrapeWindow();
  const read = async () => {
    const snapshot = await scrapeServer(url, options, signal);
    return computeOverview(snapshot, earlier(snapshot.scrape));
  };
  const first = await read();
  using display = createDisplay(url, terminal, options);
  display.show(first);
  while (!options.once) {
    await sleep(options.interval * 1_000, signal);
    try {
      display.show(await read());
    } catch (error) {
      signal.throwIfAborted();
      // The server may come back at the same address.
      display.fail(describeError(error));
    }
  }
}

function createDisplay(url: string, terminal: Terminal, { json, once }: TopFlags): OverviewDisplay {
  if (json) return createLineDisplay(terminal, '', safeJson);
  const format = (overview: ServerOverview) => showOverview(url, overview, terminal);
  if (terminal.isInteractive && !once) return createFullScreenDisplay(terminal, format);
  return createLineDisplay(terminal, '\n', (overview) => format(overview).join('\n'));
}

function parseInterval(text: string): number {
  return orInvalid(parseNumber(text, { min: 0.1, max: 3_600 }), 'a number of seconds from 0.1 to 3600');
}

/** Output for consecutive overviews. */
interface OverviewDisplay extends Disposable {
  show(overview: ServerOverview): void;
  /** Reports why the overview is missing. */
  fail(reason: string): void;
}

/** Prints overviews one below the other. A failure is printed on standard error once, even if it persists. */
function createLineDisplay(
  terminal: Terminal,
  separator: string,
  format: (overview: ServerOverview) => string,
): OverviewDisplay {
  let before = '';
  let last = '';
  return {
    show(overview) {
      terminal.print(`${before}${format(overview)}\n`);
      before = separator;
    },
    fail(reason) {
      if (reason !== last) process.stderr.write(`ors: ${reason}\n`);
      last = reason;
    },
    [Symbol.dispose]: () => undefined,
  };
}

/** For terminals of unknown height. */
const DEFAULT_ROWS = 24;

const OPEN = '\x1b[?1049h\x1b[?25l';
const CLOSE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const CLEAR_LINE = '\x1b[K';
const CLEAR_BELOW = '\x1b[J';

/** Shows overviews on the alternate screen of a terminal, and restores the terminal on disposal. */
function createFullScreenDisplay(
  terminal: Terminal,
  format: (overview: ServerOverview) => readonly string[],
): OverviewDisplay {
  const close = () => {
    process.off('exit', close);
    terminal.print(CLOSE);
  };
  // A second Ctrl-C exits immediately.
  process.once('exit', close);
  terminal.print(OPEN);
  let lines: readonly string[] = [];
  const draw = (all: readonly string[]) => {
    const fitting = all.slice(0, (process.stdout.rows || DEFAULT_ROWS) - 1);
    terminal.print(HOME + fitting.map((line) => `${line}${CLEAR_LINE}\n`).join('') + CLEAR_BELOW);
  };
  return {
    show(overview) {
      lines = format(overview);
      draw(lines);
    },
    fail: (reason) => draw([terminal.style('red', truncate(reason, terminal.width)), '', ...lines]),
    [Symbol.dispose]: close,
  };
}

/** Formats an overview as lines that fit the terminal. Names come from the server and are cleaned. */
function showOverview(url: string, overview: ServerOverview, terminal: Pick<Terminal, 'style' | 'width'>): string[] {
  const { style, width } = terminal;
  const heading = (line: string) => style('bold', truncate(line, width));
  const tables = [sessionTable(overview), toolTable(overview), setupTable(overview)].flatMap((rows) => {
    const [head = '', ...lines] = align(rows);
    return lines.length === 0 ? [] : ['', heading(head), ...lines.map((line) => truncate(line, width))];
  });
  const state = overview.ready ? style('green', 'ready') : style('yellow', 'not ready');
  const who = overview.version === null ? '' : `ors-kit ${oneLine(overview.version)}, `;
  return [
    `${style('bold', truncate(url, width - 50))}  ${who}up ${duration(Math.floor(overview.uptimeSeconds))}, ${state}`,
    ...[trafficLine(overview), streamLine(overview), processLine(overview), refusedLine(overview)]
      .filter((line) => line !== '')
      .map((line) => truncate(line, width)),
    ...tables,
  ];
}

function trafficLine({ calls, requestsPerSecond, queues }: ServerOverview): string {
  const waiting = queues.flatMap(({ queue, length }) => (length > 0 ? `${figure(length)} for ${oneLine(queue)}` : []));
  return [
    `calls ${formatRate(calls.perSecond)}, ${figure(calls.running)} running`,
    `requests ${formatRate(requestsPerSecond)}`,
    `waiting ${waiting.join(', ') || 'nothing'}`,
  ].join('   ');
}

const streamLine = ({ streams }: ServerOverview): string =>
  `streams ${figure(streams.open)}, ${figure(streams.stalled)} stalled, ${formatBytes(streams.bytesPerSecond)}/s`;

function processLine({ eventLoopDelay, cpu, memoryBytes }: ServerOverview): string {
  const { p50, p99 } = eventLoopDelay;
  return `event loop late p50 ${duration(p50)}, p99 ${duration(p99)}   CPU ${formatPercent(cpu)}   memory ${formatBytes(memoryBytes)}`;
}

function refusedLine({ refused }: ServerOverview): string {
  const counts = Object.entries(refused).map(([reason, count]) => `${figure(count)} ${oneLine(reason)}`);
  return counts.length === 0 ? '' : `rejected since its start: ${counts.join(', ')}`;
}

const sessionTable = ({ sessions }: ServerOverview): string[][] => [
  ['SESSIONS', ...SESSION_STATES],
  ...sessions.map((session) => [
    oneLine(session.environment),
    ...SESSION_STATES.map((state) => figure(session[state])),
  ]),
];

const toolTable = ({ tools }: ServerOverview): string[][] => [
  ['TOOLS', 'calls', 'p50', 'p95', 'failed', 'errors'],
  ...tools.map(({ environment, tool, perSecond: rate, p50, p95, failed, errors }) => [
    `${oneLine(environment)} ${oneLine(tool)}`,
    formatRate(rate),
    duration(p50),
    duration(p95),
    formatPercent(failed),
    formatPercent(errors),
  ]),
];

const setupTable = ({ setups }: ServerOverview): string[][] => [
  ['SETUPS', 'setups', 'p50', 'p95'],
  ...setups.map(({ environment, perSecond: rate, p50, p95 }) => [
    oneLine(environment),
    formatRate(rate),
    duration(p50),
    duration(p95),
  ]),
];

const NAME_WIDTH = 32;

/** Aligns the first column to the left and the others to the right. */
function align(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const first = Math.min(NAME_WIDTH, widths[0] ?? 0);
  return rows.map(([name = '', ...cells]) => {
    const right = cells.map((cell, at) => cell.padStart(Math.max(9, widths[at + 1] ?? 0)));
    return [truncate(name, first).padEnd(first), ...right].join(' ').trimEnd();
  });
}

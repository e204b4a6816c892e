import { formatBytes, oneLine, truncate } from '../../core/index.ts';
import { duration, figure, formatPercent, formatRate } from '../terminal/figures.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ServerOverview } from './overview.ts';

/** An overview as lines that fit. Names come from the server, and may hold anything. */
export function showOverview(
  url: string,
  overview: ServerOverview,
  terminal: Pick<Terminal, 'style' | 'width'>,
): string[] {
  const { style, width } = terminal;
  const heading = (line: string) => style('bold', truncate(line, width));
  const tables = [sessionTable(overview), toolTable(overview), setupTable(overview)].flatMap((rows) => {
    const [head, ...lines] = aligned(rows);
    return head === undefined || lines.length === 0
      ? []
      : ['', heading(head), ...lines.map((line) => truncate(line, width))];
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
  return counts.length === 0 ? '' : `refused since its start: ${counts.join(', ')}`;
}

const sessionTable = ({ sessions }: ServerOverview): string[][] => [
  ['SESSIONS', 'setup', 'active', 'idle', 'finished', 'failed', 'teardown'],
  ...sessions.map(({ environment, setup, active, idle, finished, failed, teardown }) => [
    oneLine(environment),
    ...[setup, active, idle, finished, failed, teardown].map(figure),
  ]),
];

const toolTable = ({ tools }: ServerOverview): string[][] => [
  ['TOOLS', 'calls', 'p50', 'p95', 'failed', 'errors'],
  ...tools.map(({ environment, tool, perSecond: rate, p50, p95, failed, errors }) => [
    `${oneLine(environment)} ${oneLine(tool)}`,
    ...[formatRate(rate), duration(p50), duration(p95), formatPercent(failed), formatPercent(errors)],
  ]),
];

const setupTable = ({ setups }: ServerOverview): string[][] => [
  ['SETUPS', 'setups', 'p50', 'p95'],
  ...setups.map(({ environment, perSecond: rate, p50, p95 }) => [
    oneLine(environment),
    ...[formatRate(rate), duration(p50), duration(p95)],
  ]),
];

const NAME_WIDTH = 32;

/** The first column to the left, the others to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const first = Math.min(NAME_WIDTH, widths[0] ?? 0);
  return rows.map(([name = '', ...cells]) => {
    const right = cells.map((cell, at) => cell.padStart(Math.max(9, widths[at + 1] ?? 0)));
    return [truncate(name, first).padEnd(first), ...right].join(' ').trimEnd();
  });
}

import type { ConformanceResults, ResultsDiff, StateChange, UnmatchedResult } from '../../conformance/index.ts';
import { oneLine, stripControls } from '../../core/index.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrapText } from '../terminal/wrap.ts';
import { stateText } from './show-results.ts';

/** What is different between two runs, what got worse first. */
export function showResultsDiff(
  difference: ResultsDiff,
  [before, after]: readonly [ConformanceResults, ConformanceResults],
  terminal: Terminal,
): string {
  const { worse, better, changed, added, gone, same } = difference;
  const parts = [
    runLine('from', before),
    runLine('to', after),
    otherSubject(before, after, terminal),
    part('Worse', worse, changeText, terminal),
    part('Better', better, changeText, terminal),
    part('Changed', changed, changeText, terminal),
    part('New', added, singleText, terminal),
    part('Gone', gone, singleText, terminal),
  ];
  const counts = `${worse.length} worse, ${better.length} better, ${changed.length} changed, ${added.length} new, ${gone.length} gone, ${same} the same`;
  return `${parts.join('')}\n${terminal.style('bold', counts)}\n`;
}

const runLine = (word: string, { url, client, started_at: started, suite, summary }: ConformanceResults): string =>
  `${word.padEnd(4)} ${oneLine(client ?? url)}, ${oneLine(started)}, ${oneLine(suite)}: ${oneLine(summary.headline)}\n`;

/** Results of something else are no news of the same server. */
function otherSubject(before: ConformanceResults, after: ConformanceResults, terminal: Terminal): string {
  const pairs = [
    ['environment', before.environment, after.environment],
    ['profile', before.profiles.join('+'), after.profiles.join('+')],
    ['subject', before.subject, after.subject],
  ] as const;
  const others = pairs.filter(([, from, to]) => from !== to).map(([what, from, to]) => `${what} ${from} -> ${to}`);
  if (others.length === 0) return '';
  return terminal.style('yellow', `The runs are not of the same: ${oneLine(others.join('; '))}\n`);
}

function part<T>(title: string, rows: readonly T[], show: (row: T, terminal: Terminal) => string, terminal: Terminal) {
  if (rows.length === 0) return '';
  return `\n${terminal.style('bold', title)}\n${rows.map((row) => show(row, terminal)).join('')}`;
}

function changeText({ check, from, to, level, message }: StateChange, terminal: Terminal): string {
  const told = message === null ? '' : `${wrapText(stripControls(message), terminal.width, '      ')}\n`;
  const states = `${stateText(from, terminal)} -> ${stateText(to, terminal)}`;
  return `  ${oneLine(check)} (${level.toUpperCase()}): ${states}\n${told}`;
}

const singleText = ({ check, state, level }: UnmatchedResult, terminal: Terminal): string =>
  `  ${oneLine(check)} (${level.toUpperCase()}): ${stateText(state, terminal)}\n`;

import type { Change, ConformanceResults, Difference, Single } from '../../conformance/index.ts';
import { clean, cleanLine } from '../terminal/clean-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrap } from '../terminal/wrap.ts';
import { stateText } from './show-results.ts';

/** What is different between two runs, what got worse first. */
export function showDifference(
  difference: Difference,
  [before, after]: readonly [ConformanceResults, ConformanceResults],
  terminal: Terminal,
): string {
  const { worse, better, changed, added, gone, same } = difference;
  const parts = [
    runLine('from', before),
    runLine('to', after),
    part('Worse', worse, changeText, terminal),
    part('Better', better, changeText, terminal),
    part('Changed', changed, changeText, terminal),
    part('New', added, singleText, terminal),
    part('Gone', gone, singleText, terminal),
  ];
  const counts = `${worse.length} worse, ${better.length} better, ${changed.length} changed, ${added.length} new, ${gone.length} gone, ${same} the same`;
  return `${parts.join('')}\n${terminal.style('bold', counts)}\n`;
}

const runLine = (word: string, { url, client, started_at: begun, suite, summary }: ConformanceResults): string =>
  `${word.padEnd(4)} ${cleanLine(client ?? url)}, ${cleanLine(begun)}, ${cleanLine(suite)}: ${cleanLine(summary.headline)}\n`;

function part<T>(title: string, rows: readonly T[], show: (row: T, terminal: Terminal) => string, terminal: Terminal) {
  if (rows.length === 0) return '';
  return `\n${terminal.style('bold', title)}\n${rows.map((row) => show(row, terminal)).join('')}`;
}

function changeText({ check, from, to, level, message }: Change, terminal: Terminal): string {
  const told = message === null ? '' : `${wrap(clean(message), terminal.width, '      ')}\n`;
  const states = `${stateText(from, terminal)} -> ${stateText(to, terminal)}`;
  return `  ${cleanLine(check)} (${level.toUpperCase()}): ${states}\n${told}`;
}

const singleText = ({ check, state, level }: Single, terminal: Terminal): string =>
  `  ${cleanLine(check)} (${level.toUpperCase()}): ${stateText(state, terminal)}\n`;

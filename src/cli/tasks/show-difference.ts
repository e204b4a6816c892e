import { oneLine, plural, sum, truncate } from '../../core/index.ts';
import { figure } from '../terminal/figures.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { SplitDiff, TasksDiff } from './difference.ts';

const KINDS = ['changed', 'moved', 'added', 'removed'] as const;
const STYLES = { changed: 'yellow', moved: 'cyan', added: 'green', removed: 'red' } as const;
/** Whoever reads a pipe wants more of the pointers. */
const MIN_CUT_LENGTH = 200;
const SIGNS = { changed: '~', moved: '>', added: '+', removed: '-' } as const;

/** A line for each split, and below it what is not the same. */
export function showTasksDiff({ same, before, after, splits }: TasksDiff, terminal: Terminal): string {
  const names = [before.environment, after.environment].map(oneLine);
  const head = names[0] === names[1] ? names[0] : `${names[0]} and ${names[1]}, which are two environments`;
  const parts = splits.map((split) => splitText(split, terminal));
  const total = (kind: (typeof KINDS)[number]) => sum(splits.map(({ counts }) => counts[kind]));
  const counts = KINDS.map((kind) => `${figure(total(kind))} ${kind}`).join(', ');
  const verdict = same ? terminal.style('green', 'the same tasks') : `not the same: ${counts}`;
  return `${terminal.style('bold', head ?? '')}\n${parts.join('')}${verdict}\n`;
}

function splitText(split: SplitDiff, terminal: Terminal): string {
  const { before, after, type, counts } = split;
  const found = KINDS.filter((kind) => counts[kind] > 0).map((kind) => `${figure(counts[kind])} ${kind}`);
  const facts = [sizeText(before, after), ...(type ? [`${type.before} -> ${type.after}`] : []), ...found];
  const isSame = found.length === 0 && type === null && before === after;
  const head = `  ${oneLine(split.name)}  ${[...facts, ...(isSame ? ['the same'] : [])].join(', ')}`;
  const lines = [head, ...KINDS.flatMap((kind) => kindLines(split, kind, terminal))];
  return lines.map((line) => `${line}\n`).join('');
}

function sizeText(before: number | null, after: number | null): string {
  if (before === null) return 'a new split';
  if (after === null) return 'the split is gone';
  return before === after ? plural(before, 'task') : `${figure(before)} -> ${plural(after, 'task')}`;
}

function kindLines(split: SplitDiff, kind: (typeof KINDS)[number], terminal: Terminal): string[] {
  const entries = {
    changed: split.changed.map(({ index, pointers }) => `${index}${pointers ? `: ${pointers.join(' ')}` : ''}`),
    moved: split.moved.map(({ from, to, count }) => `${span(from, count)} -> ${span(to, count)}`),
    added: split.added.map(({ index, count }) => span(index, count)),
    removed: split.removed.map(({ index, count }) => span(index, count)),
  }[kind];
  const shown = kind === 'changed' ? entries.length : sum(split[kind].map(({ count }) => count));
  const hidden = split.counts[kind] - shown;
  const lines = entries.map((entry) => {
    const line = truncate(`    ${SIGNS[kind]} ${kind} ${oneLine(entry)}`, Math.max(terminal.width, MIN_CUT_LENGTH));
    return terminal.style(STYLES[kind], line);
  });
  return hidden > 0 ? [...lines, `      and ${figure(hidden)} more ${kind}`] : lines;
}

const span = (index: number, count: number): string => (count === 1 ? `${index}` : `${index}-${index + count - 1}`);

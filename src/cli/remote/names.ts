import { cleanLine } from '../terminal/clean-text.ts';

const MOST_SHOWN = 20;

/** Says that a name is not there, which one may have been meant, and which there are. */
export function unknownName(kind: string, name: string, there: readonly string[]): string {
  const near = nearest(name, there);
  const guess = near === undefined ? '' : ` Did you mean '${cleanLine(near)}'?`;
  const shown = there.slice(0, MOST_SHOWN).map(cleanLine).join(', ');
  const hidden = there.length > MOST_SHOWN ? ` and ${there.length - MOST_SHOWN} more` : '';
  const list = there.length === 0 ? 'There is none.' : `There ${there.length === 1 ? 'is' : 'are'}: ${shown}${hidden}.`;
  return `there is no ${kind} '${cleanLine(name)}'.${guess} ${list}`;
}

/** The name that needs the fewest changes of letters, if they are few; undefined otherwise. */
export function nearest(name: string, there: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const ranked = there
    .map((other) => ({ other, changes: distance(wanted, other.toLowerCase()) }))
    .sort((a, b) => a.changes - b.changes);
  const [best] = ranked;
  const most = Math.min(wanted.length - 1, Math.max(2, Math.floor(wanted.length / 3)));
  return best && best.changes <= most ? best.other : undefined;
}

/** How many letters must be put in, taken out or replaced (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

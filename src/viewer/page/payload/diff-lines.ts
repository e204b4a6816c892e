import { diffLines, diffWordsWithSpace } from 'diff';
import { appendAll } from '../../../core/index.ts';

/** Line of a diff. */
export type DiffRow =
  | { readonly kind: 'same' | 'added' | 'removed'; readonly words: readonly DiffWord[] }
  | { readonly kind: 'folded'; readonly lines: readonly string[] };
interface DiffWord {
  readonly text: string;
  readonly isChanged: boolean;
}

/** Limit for the comparison; texts with little in common are shown one after the other instead. */
const TIMEOUT_MS = 100;
const CONTEXT = 3;
const MAX_WORD_LENGTH = 2_000;

/** Compares texts by line, and replaced lines by word. */
export function compareTexts(before: string, after: string): readonly DiffRow[] {
  const changes = diffLines(before, after, { timeout: TIMEOUT_MS }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  const rows: DiffRow[] = [];
  for (let at = 0; at < changes.length; at++) {
    const [change, next] = [changes[at], changes[at + 1]];
    if (!change) continue;
    if (change.removed && next?.added) {
      appendAll(rows, replaced(linesOf(change.value), linesOf(next.value)));
      at++;
    } else if (change.removed || change.added) {
      const kind = change.removed ? 'removed' : 'added';
      for (const line of linesOf(change.value)) rows.push(row(kind, line));
    } else
      appendAll(rows, folded(linesOf(change.value), at === 0 ? 0 : CONTEXT, at === changes.length - 1 ? 0 : CONTEXT));
  }
  return rows;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const row = (kind: 'same' | 'added' | 'removed', text: string): DiffRow => ({
  kind,
  words: [{ text, isChanged: false }],
});

/** Pairs removed and added lines for a comparison by word; if the counts differ, the pairing is unknown. */
function replaced(before: readonly string[], after: readonly string[]): readonly DiffRow[] {
  const isPaired =
    before.length === after.length && [...before, ...after].every(({ length }) => length < MAX_WORD_LENGTH);
  if (!isPaired) return [...before.map((line) => row('removed', line)), ...after.map((line) => row('added', line))];
  const pairs = before.map((line, index) => diffWordsWithSpace(line, after[index] ?? '', { timeout: TIMEOUT_MS }));
  const words = (kind: 'added' | 'removed', index: number, line: string): DiffRow => {
    const pair = pairs[index];
    const own = pair?.filter((change) => (kind === 'added' ? !change.removed : !change.added));
    return own
      ? { kind, words: own.map((change) => ({ text: change.value, isChanged: change[kind] })) }
      : row(kind, line);
  };
  return [
    ...before.map((line, index) => words('removed', index, line)),
    ...after.map((line, index) => words('added', index, line)),
  ];
}

/** Folds equal lines, except the first `head` and the last `tail`, which are next to a change. */
function folded(lines: readonly string[], head: number, tail: number): readonly DiffRow[] {
  const rows = lines.map((line) => row('same', line));
  if (lines.length <= head + tail + 1) return rows;
  const end = lines.length - tail;
  return [...rows.slice(0, head), { kind: 'folded', lines: lines.slice(head, end) }, ...rows.slice(end)];
}

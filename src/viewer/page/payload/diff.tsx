import { useEffect, useState } from 'preact/hooks';
import { formatCount, plural } from '../../../core/index.ts';
import { Button, QuietButton } from '../parts/buttons.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import type { DiffRow } from './diff-lines.ts';

const SIGNS = { same: ' ', added: '+', removed: '−' };
const ROWS = 500;

/** Shows the removed and added lines of a text. */
export function TextDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const [rows, setRows] = useState<readonly DiffRow[]>();
  const [max, setMax] = useState(ROWS);
  useEffect(() => {
    let isCurrent = true;
    import('./diff-lines.ts').then(
      ({ compareTexts }) => isCurrent && setRows(compareTexts(before, after)),
      () => isCurrent && setRows(uncompared(before, after)),
    );
    return () => {
      isCurrent = false;
    };
  }, [before, after]);
  if (!rows) return <pre class="payload-text payload-diff">…</pre>;
  return (
    <div class="sunken payload-diff">
      {rows
        .slice(0, max)
        .map((row, index) =>
          row.kind === 'folded' ? <Folded key={index} lines={row.lines} /> : <Row key={index} row={row} />,
        )}
      {rows.length === 0 && <p class="payload-note">no difference</p>}
      {rows.length > max && (
        <Button onClick={() => setMax(max + ROWS)}>Show more of {plural(rows.length, 'line')}</Button>
      )}
    </div>
  );
}

type LineRow = Exclude<DiffRow, { kind: 'folded' }>;

const wholeLine = (kind: LineRow['kind'], text: string): LineRow => ({ kind, words: [{ text, isChanged: false }] });

/** Fallback if the code for the comparison failed to load. */
const uncompared = (before: string, after: string): readonly DiffRow[] => [
  ...before.split('\n').map((text) => wholeLine('removed', text)),
  ...after.split('\n').map((text) => wholeLine('added', text)),
];

function Row({ row: { kind, words } }: { readonly row: LineRow }) {
  return (
    <div class={`wrapped diff-row diff-${kind}`}>
      <span class="diff-sign" {...(kind !== 'same' && { role: 'img', 'aria-label': kind })}>
        {SIGNS[kind]}
      </span>
      <span>
        {words.map(({ text, isChanged }, index) =>
          isChanged ? (
            <b key={index}>
              <VisibleText text={text} />
            </b>
          ) : (
            <VisibleText key={index} text={text} />
          ),
        )}
      </span>
    </div>
  );
}

function Folded({ lines }: { readonly lines: readonly string[] }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return lines.slice(0, ROWS).map((text, index) => <Row key={index} row={wholeLine('same', text)} />);
  return (
    <QuietButton class="diff-folded" onClick={() => setOpen(true)}>
      ⋯ {formatCount(lines.length)} equal lines
    </QuietButton>
  );
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countBy, formatCount, plural, truncate } from '../../../core/index.ts';
import { buildHref, changeQuery, useQuery } from '../api/location.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { Reward } from '../parts/badges.tsx';
import { Button, QuietButton } from '../parts/buttons.tsx';
import { formatReward } from '../parts/rewards.ts';
import { VisibleText } from '../parts/visible-text.tsx';
import { TextDiff } from '../payload/index.ts';
import { foldUnchanged, readDifferenceIndex, type TraceChange, type TraceItem } from './changes.ts';

/** Number of differences that are open at first. */
const OPEN = 12;
/** Number of sections to show at a time. */
const SHOWN = 300;

interface Props {
  readonly changes: readonly TraceChange[];
  /** Id of the left trace. */
  readonly left: string;
  readonly right: string;
}

/** Shows what was added, removed and changed, with equal items folded; `n` and `N` step through the differences. */
export function Differences({ changes, left, right }: Props) {
  const indexes = useMemo(() => [...changes.keys()].filter((index) => changes[index]?.kind !== 'same'), [changes]);
  const sections = useMemo(() => foldUnchanged(changes), [changes]);
  const [limit, setLimit] = useState(SHOWN);
  const list = useRef<HTMLOListElement>(null);
  const at = readDifferenceIndex(useQuery(), indexes.length);
  const current = indexes[at - 1];
  const go = (step: number) => {
    if (indexes.length === 0) return;
    const next = Math.max(1, Math.min(indexes.length, at + step));
    changeQuery({ at: next });
  };
  useShortcuts({
    n: { description: 'go to the next difference', run: () => go(1) },
    N: { description: 'go to the previous difference', run: () => go(-1) },
  });
  useEffect(() => {
    if (current === undefined) return;
    const section = sections.findIndex((each) => each.kind === 'change' && each.index === current);
    if (section >= limit) setLimit(section + SHOWN);
    list.current?.querySelector<HTMLElement>(`[data-index="${current}"]`)?.focus();
  }, [current, limit, sections]);
  if (indexes.length === 0) return <p class="none">Both traces are equal.</p>;
  return (
    <>
      <div class="row sticky compare-bar">
        <Counts changes={changes} />
        <span class="spring" />
        <span aria-live="polite">{at > 0 ? `${formatCount(at)} / ${formatCount(indexes.length)}` : ''}</span>
        <Button title="Previous difference" disabled={at <= 1} onClick={() => go(-1)}>
          ↑ back <kbd>N</kbd>
        </Button>
        <Button title="Next difference" disabled={at >= indexes.length} onClick={() => go(1)}>
          ↓ next <kbd>n</kbd>
        </Button>
      </div>
      <ol class="stack compare-list" ref={list}>
        {sections
          .slice(0, limit)
          .map((section) =>
            section.kind === 'fold' ? (
              <Fold key={section.from} section={section} left={left} right={right} />
            ) : (
              <ChangeRow
                key={section.index}
                {...section}
                left={left}
                right={right}
                isCurrent={section.index === current}
                isOpen={section.change.kind !== 'same' && (section.index === current || indexes.length <= OPEN)}
              />
            ),
          )}
      </ol>
      {sections.length > limit && <Button onClick={() => setLimit(limit + SHOWN)}>Show more</Button>}
    </>
  );
}

const NAMES = { changed: 'changed', added: 'added', removed: 'removed', result: 'with different results' } as const;

function Counts({ changes }: { readonly changes: readonly TraceChange[] }) {
  const counts = countBy(changes, ({ kind }) => kind);
  const different = Object.entries(NAMES).flatMap(([kind, name]) => {
    const count = counts.get(kind as TraceChange['kind']);
    return count === undefined ? [] : [`${formatCount(count)} ${name}`];
  });
  return <span>{[...different, `${formatCount(counts.get('same') ?? 0)} the same`].join(', ')}</span>;
}

interface FoldProps extends Omit<Props, 'changes'> {
  readonly section: { readonly from: number; readonly changes: readonly TraceChange[] };
}

function Fold({ section: { from, changes }, ...traces }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return changes.map((change, at) => <ChangeRow key={at} change={change} index={from + at} {...traces} />);
  return (
    <li class="compare-fold">
      <QuietButton
        onClick={() => setOpen(true)}
      >{`▸ ${plural(changes.length, 'step')} without differences`}</QuietButton>
    </li>
  );
}

const WORDS = { same: '', result: '≠ result', changed: '~ changed', added: '+ added', removed: '− removed' };
/** Number of characters that a closed row shows. */
const PREVIEW = 400;

interface ChangeRowProps extends Omit<Props, 'changes'> {
  readonly index: number;
  readonly change: TraceChange;
  readonly isCurrent?: boolean;
  /** Initial state, until the user opens or closes the row. */
  readonly isOpen?: boolean;
}

/** Shows one item of both traces, or of one. */
function ChangeRow({ index, change, left, right, isCurrent = false, isOpen = false }: ChangeRowProps) {
  const [chosen, setChosen] = useState<boolean>();
  const isShown = chosen ?? isOpen;
  const { kind } = change;
  const canOpen = kind === 'changed' || kind === 'result';
  return (
    <li
      class={`raised compare-row compare-${kind}`}
      data-index={index}
      tabIndex={-1}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {kind !== 'same' && (
        <p class="row line compare-kind">
          <b>{WORDS[kind]}</b>
          {canOpen && (
            <QuietButton aria-expanded={isShown} onClick={() => setChosen(!isShown)}>
              {isShown ? 'Hide the difference' : 'Show the difference'}
            </QuietButton>
          )}
        </p>
      )}
      {kind === 'same' ? (
        <ItemView item={change.left} trace={left} twin={blockLink(right, change.right)} />
      ) : (
        <div class="compare-two">
          <ItemView item={change.left} trace={left} compared={isShown ? change.right : undefined} />
          <ItemView item={change.right} trace={right} compared={isShown ? change.left : undefined} />
        </div>
      )}
      {canOpen && isShown && <Details left={change.left} right={change.right} />}
    </li>
  );
}

interface ItemViewProps {
  readonly item: TraceItem | undefined;
  readonly trace: string;
  /** Item of the other trace, if the texts differ and are shown below. */
  readonly compared?: TraceItem | undefined;
  /** Link to the equal item of the other trace. */
  readonly twin?: string;
}

const blockLink = (trace: string, { id }: TraceItem) => `${buildHref({ view: 'trace', trace })}#${id}`;

function ItemView({ item, trace, compared, twin }: ItemViewProps) {
  if (!item) return <div class="muted">not there</div>;
  const { tool, text, result, isError, reward } = item;
  return (
    <div>
      <p class="row">
        <a href={blockLink(trace, item)}>
          <VisibleText text={tool} />
        </a>
        {twin !== undefined && <a href={twin}>in the right trace</a>}
        <span class="spring" />
        {isError && <b class="failed">✗ error</b>}
        {reward !== null && <Reward value={reward} />}
      </p>
      {(!compared || compared.text === text) && <Preview text={text} />}
      {result !== undefined && (!compared || compared.result === result) && <Preview text={`→ ${result}`} />}
    </div>
  );
}

const Preview = ({ text }: { readonly text: string }) => (
  <pre class="compare-text">
    <VisibleText text={truncate(text, PREVIEW)} />
  </pre>
);

function Details({ left, right }: { readonly left: TraceItem; readonly right: TraceItem }) {
  const isCall = left.tool.startsWith('call ');
  return (
    <div class="stack compare-details">
      {left.text !== right.text && (
        <section>
          <h2 class="muted">{isCall ? 'Arguments' : 'Text'}</h2>
          <TextDiff before={left.text} after={right.text} />
        </section>
      )}
      {left.result !== right.result && (
        <section>
          <h2 class="muted">Result</h2>
          <TextDiff before={left.result ?? ''} after={right.result ?? ''} />
        </section>
      )}
      {left.reward !== right.reward && (
        <p>
          Reward {formatReward(left.reward)} → {formatReward(right.reward)}
        </p>
      )}
    </div>
  );
}

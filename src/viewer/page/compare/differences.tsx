import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount, plural, truncate } from '../../../core/index.ts';
import { buildHref, navigate, useQuery, withQuery } from '../api/location.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { Reward } from '../parts/badges.tsx';
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
  /** Trace id. */
  readonly left: string;
  readonly right: string;
}

/** Shows what was added, removed and changed, with equal items folded; `n` and `N` step through the differences. */
export function Differences({ changes, left, right }: Props) {
  const places = useMemo(() => [...changes.keys()].filter((place) => changes[place]?.kind !== 'same'), [changes]);
  const sections = useMemo(() => foldUnchanged(changes), [changes]);
  const [limit, setLimit] = useState(SHOWN);
  const list = useRef<HTMLOListElement>(null);
  const at = readDifferenceIndex(useQuery(), places.length);
  const current = places[at - 1];
  const go = (step: number) => {
    if (places.length === 0) return;
    const next = Math.max(1, Math.min(places.length, at + step));
    navigate(withQuery({ at: next }), { replace: true });
  };
  useShortcuts({
    n: { does: 'go to the next difference', run: () => go(1) },
    N: { does: 'go to the previous difference', run: () => go(-1) },
  });
  useEffect(() => {
    if (current === undefined) return;
    const section = sections.findIndex((each) => each.kind === 'change' && each.place === current);
    if (section >= limit) setLimit(section + SHOWN);
    list.current?.querySelector<HTMLElement>(`[data-place="${current}"]`)?.focus();
  }, [current, limit, sections]);
  if (places.length === 0) return <p class="none">Both traces are equal.</p>;
  return (
    <>
      <div class="compare-bar row">
        <Counts changes={changes} />
        <span class="spring" />
        <span aria-live="polite">{at > 0 ? `${formatCount(at)} / ${formatCount(places.length)}` : ''}</span>
        <button type="button" title="Previous difference" disabled={at <= 1} onClick={() => go(-1)}>
          ↑ back <kbd>N</kbd>
        </button>
        <button type="button" title="Next difference" disabled={at >= places.length} onClick={() => go(1)}>
          ↓ next <kbd>n</kbd>
        </button>
      </div>
      <ol class="stack compare-list" ref={list}>
        {sections
          .slice(0, limit)
          .map((section) =>
            section.kind === 'fold' ? (
              <Fold key={section.from} section={section} left={left} right={right} />
            ) : (
              <ChangeRow
                key={section.place}
                {...section}
                left={left}
                right={right}
                isCurrent={section.place === current}
                isOpen={section.change.kind !== 'same' && (section.place === current || places.length <= OPEN)}
              />
            ),
          )}
      </ol>
      {sections.length > limit && (
        <button type="button" onClick={() => setLimit(limit + SHOWN)}>
          Show more
        </button>
      )}
    </>
  );
}

const NAMES = { changed: 'changed', added: 'added', removed: 'removed', result: 'with different results' } as const;

function Counts({ changes }: { readonly changes: readonly TraceChange[] }) {
  const kinds = Object.entries(NAMES).map(([kind, name]) => {
    const number = changes.filter((change) => change.kind === kind).length;
    return number === 0 ? undefined : `${formatCount(number)} ${name}`;
  });
  const same = changes.filter(({ kind }) => kind === 'same').length;
  return <span>{[...kinds, `${formatCount(same)} the same`].filter((words) => words !== undefined).join(', ')}</span>;
}

interface FoldProps extends Pick<Props, 'left' | 'right'> {
  readonly section: { readonly from: number; readonly changes: readonly TraceChange[] };
}

function Fold({ section: { from, changes }, left, right }: FoldProps) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) {
    return (
      <>
        {changes.map((change, offset) => (
          <ChangeRow
            key={offset}
            change={change}
            left={left}
            right={right}
            place={from + offset}
            isCurrent={false}
            isOpen={false}
          />
        ))}
      </>
    );
  }
  return (
    <li class="compare-fold">
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {`▸ ${plural(changes.length, 'step')} without differences`}
      </button>
    </li>
  );
}

const WORDS = { same: '', result: '≠ result', changed: '~ changed', added: '+ added', removed: '− removed' };
/** Number of characters that a closed row shows. */
const PREVIEW = 400;

interface ChangeRowProps {
  readonly place: number;
  readonly change: TraceChange;
  /** Trace id. */
  readonly left: string;
  readonly right: string;
  readonly isCurrent: boolean;
  /** Initial state, until the user opens or closes the row. */
  readonly isOpen: boolean;
}

/** Shows one item of both traces, or of one. */
export function ChangeRow({ place, change, left, right, isCurrent, isOpen }: ChangeRowProps) {
  const [chosen, setChosen] = useState<boolean>();
  const isShown = chosen ?? isOpen;
  const { kind } = change;
  const canOpen = kind === 'changed' || kind === 'result';
  return (
    <li
      class={`raised compare-row compare-${kind}`}
      data-place={place}
      tabIndex={-1}
      aria-current={isCurrent ? 'true' : undefined}
    >
      {kind !== 'same' && (
        <p class="compare-kind">
          <b>{WORDS[kind]}</b>
          {canOpen && (
            <button type="button" class="quiet" aria-expanded={isShown} onClick={() => setChosen(!isShown)}>
              {isShown ? 'Hide the difference' : 'Show the difference'}
            </button>
          )}
        </p>
      )}
      {kind === 'same' ? (
        <ItemView item={change.left} trace={left} twin={{ item: change.right, trace: right }} />
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
  /** Equal item of the other trace. */
  readonly twin?: { readonly item: TraceItem; readonly trace: string };
}

const blockLink = (trace: string, { id }: TraceItem) => `${buildHref({ view: 'trace', trace })}#${id}`;

function ItemView({ item, trace, compared, twin }: ItemViewProps) {
  if (!item) return <div class="compare-half muted">not there</div>;
  const { title, tool, text, result, isError, reward: value } = item;
  return (
    <div class="compare-half">
      <p class="row">
        <a href={blockLink(trace, item)}>
          <VisibleText text={tool.startsWith('call ') ? `call ${title}` : title} />
        </a>
        {twin && <a href={blockLink(twin.trace, twin.item)}>in the right trace</a>}
        <span class="spring" />
        {isError && <b class="failed">✗ error</b>}
        {value !== null && <Reward value={value} />}
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
          <h2>{isCall ? 'Arguments' : 'Text'}</h2>
          <TextDiff before={left.text} after={right.text} />
        </section>
      )}
      {left.result !== right.result && (
        <section>
          <h2>Result</h2>
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

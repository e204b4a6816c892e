import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatCount, plural } from '../../../core/index.ts';
import { navigate, useQuery, withQuery } from '../shell/location.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import { readDifferenceIndex } from './address.ts';
import { ChangeRow } from './change-row.tsx';
import { foldUnchanged, type TraceChange } from './changes.ts';

/** So many differences are open from the beginning. */
const OPEN = 12;
/** More sections are shown when they are asked for. */
const SHOWN = 300;

interface Props {
  readonly changes: readonly TraceChange[];
  /** Ids of the traces. */
  readonly left: string;
  readonly right: string;
}

/** What is added, removed and changed, with what is the same folded; n and N go from one to the next. */
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
    N: { does: 'go to the difference before', run: () => go(-1) },
  });
  useEffect(() => {
    if (current === undefined) return;
    const section = sections.findIndex((each) => each.kind === 'change' && each.place === current);
    if (section >= limit) setLimit(section + SHOWN);
    list.current?.querySelector<HTMLElement>(`[data-place="${current}"]`)?.focus();
  }, [current, limit, sections]);
  if (places.length === 0) return <p class="none">The two did the same, and the same came of it.</p>;
  return (
    <>
      <div class="compare-bar row">
        <Counts changes={changes} />
        <span class="spring" />
        <span aria-live="polite">{at > 0 ? `${formatCount(at)} / ${formatCount(places.length)}` : ''}</span>
        <button type="button" title="Difference before" disabled={at <= 1} onClick={() => go(-1)}>
          ↑ back <kbd>N</kbd>
        </button>
        <button type="button" title="Next difference" disabled={at >= places.length} onClick={() => go(1)}>
          ↓ next <kbd>n</kbd>
        </button>
      </div>
      <ol class="compare-list" ref={list}>
        {sections
          .slice(0, limit)
          .map((section) =>
            section.kind === 'fold' ? (
              <Fold key={section.from} {...{ section, left, right }} />
            ) : (
              <ChangeRow
                key={section.place}
                {...{ ...section, left, right }}
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

const NAMES = { changed: 'changed', added: 'added', removed: 'removed', result: 'with another result' } as const;

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
          <ChangeRow key={offset} {...{ change, left, right }} place={from + offset} isCurrent={false} isOpen={false} />
        ))}
      </>
    );
  }
  return (
    <li class="compare-fold">
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {`▸ ${plural(changes.length, 'step')} that are the same`}
      </button>
    </li>
  );
}

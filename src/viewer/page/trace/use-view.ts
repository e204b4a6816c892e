import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { BlockId } from '../../../../generated/trace.ts';
import { currentHash, navigate, useHash } from '../api/location.ts';
import type { TranscriptRow } from './outline.ts';

const ADDRESS_MS = 200;

/** Request to scroll to a block. */
export interface ScrollTarget {
  /** Counts the requests: the same block may be requested twice. */
  readonly version: number;
  readonly id: BlockId;
  /**
   * `start` scrolls it to the top, `nearest` as little as possible, `end` to the end of the list; a number is the distance
   * of its top above the view.
   */
  readonly align: 'start' | 'nearest' | 'end' | number;
  /** Set if the row receives the focus. */
  readonly isFocused: boolean;
}

/** Scroll position of a history entry: a block, and the distance of its top above the view. */
interface ScrollPosition {
  readonly id: BlockId;
  readonly offset: number;
}

export interface BlockSelection {
  readonly chosen: BlockId | undefined;
  readonly jump: ScrollTarget | undefined;
  /** Selects a block and replaces the history entry. */
  readonly step: (id: BlockId, align?: 'nearest' | 'end') => void;
  /** Selects a block and adds a history entry. */
  readonly jumpTo: (id: BlockId) => void;
  /** Stores the scroll position in the history entry. */
  readonly saveScroll: (position: ScrollPosition) => void;
}

/** Selected block and scroll target, in sync with the address and the history. */
export function useBlockSelection(): BlockSelection {
  const [chosen, setChosen] = useState<BlockId | undefined>(currentHash() || undefined);
  const [jump, setJump] = useState<ScrollTarget>();
  const round = useRef(0);
  /** Fragment that this page has set itself. */
  const named = useRef(currentHash());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const scroll = useRef<ScrollPosition>(undefined);
  const choose = useCallback((id: BlockId, align: ScrollTarget['align'], isFocused = true) => {
    clearTimeout(timer.current);
    if (isFocused) setChosen(id);
    setJump({ version: ++round.current, id, align, isFocused });
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  useArrivals(named, setChosen, choose);

  const step = useCallback(
    (id: BlockId, align: 'nearest' | 'end' = 'nearest') => {
      choose(id, align);
      timer.current = setTimeout(() => {
        named.current = id;
        navigate(blockHref(id), { replace: true });
      }, ADDRESS_MS);
    },
    [choose],
  );
  const jumpTo = useCallback(
    (id: BlockId) => {
      if (scroll.current) history.replaceState({ scroll: scroll.current }, '');
      named.current = id;
      choose(id, 'start');
      navigate(blockHref(id));
    },
    [choose],
  );
  const saveScroll = useCallback((now: ScrollPosition) => {
    scroll.current = now;
    history.replaceState({ scroll: now }, '');
  }, []);
  return { chosen, jump, step, jumpTo, saveScroll };
}

/** Follows the address: at first, on steps through the history, and on links within the page. */
function useArrivals(
  named: { current: string },
  setChosen: (id: BlockId | undefined) => void,
  choose: (id: BlockId, align: ScrollTarget['align'], isFocused?: boolean) => void,
): void {
  const hash = useHash();
  useEffect(() => {
    const arrive = () => {
      const id = currentHash();
      const known = (history.state as { readonly scroll?: ScrollPosition } | null)?.scroll;
      named.current = id;
      setChosen(id || undefined);
      if (known) choose(known.id, known.offset, false);
      else if (id) choose(id, 'start');
    };
    arrive();
    addEventListener('popstate', arrive);
    return () => removeEventListener('popstate', arrive);
  }, [named, setChosen, choose]);
  useEffect(() => {
    if (hash === named.current) return;
    named.current = hash;
    if (hash) choose(hash, 'start');
    else setChosen(undefined);
  }, [hash, named, setChosen, choose]);
}

export const blockHref = (id: BlockId): string => `${location.search}#${encodeURIComponent(id)}`;

/** Collapsed rows: agents at first, then all or none, with exceptions. */
export interface CollapseState {
  readonly isClosed: (row: TranscriptRow) => boolean;
  readonly toggle: (row: TranscriptRow) => void;
  readonly all: (isClosed: boolean) => void;
  /** Opens a row and its ancestors. */
  readonly reveal: (row: TranscriptRow) => void;
}

export function useCollapse(): CollapseState {
  const [{ isUsual, except }, set] = useState({
    isUsual: ({ inner }: TranscriptRow): boolean => inner !== undefined,
    except: new Set<string>() as ReadonlySet<string>,
  });
  const isClosed = useCallback((row: TranscriptRow) => isUsual(row) !== except.has(row.id), [isUsual, except]);
  const change = (rows: readonly TranscriptRow[]) => {
    const changed = new Set(except);
    for (const { id } of rows) if (!changed.delete(id)) changed.add(id);
    set({ isUsual, except: changed });
  };
  return {
    isClosed,
    toggle: (row) => change([row]),
    all: (closed) => set({ isUsual: () => closed, except: new Set() }),
    reveal(row) {
      const closed: TranscriptRow[] = [];
      for (let at: TranscriptRow | undefined = row; at; at = at.parent) if (isClosed(at)) closed.push(at);
      if (closed.length > 0) change(closed);
    },
  };
}

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { BlockId } from '../../../../generated/trace.ts';
import { currentHash, navigate, useHash } from '../shell/location.ts';
import type { TranscriptRow } from './outline.ts';

const ADDRESS_MS = 200;

/** What the transcript is asked to show. */
export interface ScrollTarget {
  /** Counts them: the same place may be asked for twice. */
  readonly version: number;
  readonly id: BlockId;
  /** `start` puts it near the top; `nearest` moves no more than it takes. A number puts its top that far above it. */
  readonly align: 'start' | 'nearest' | number;
  /** Whether the keyboard goes there. */
  readonly isFocused: boolean;
}

/** Where somebody was when they left: a block, and how far its top stood above that of the transcript. */
export interface ScrollPosition {
  readonly id: BlockId;
  readonly offset: number;
}

export interface TraceSelection {
  readonly chosen: BlockId | undefined;
  readonly jump: ScrollTarget | undefined;
  /** A step: the address follows, and there is nothing to go back to. */
  readonly step: (id: BlockId) => void;
  /** A jump: going back leads to where one was. */
  readonly jumpTo: (id: BlockId) => void;
  /** Notes where the transcript stands, for coming back. */
  readonly saveScroll: (place: ScrollPosition) => void;
}

/** Which block is chosen and what is to be shown, in step with the address and its history. */
export function useTraceSelection(): TraceSelection {
  const [chosen, setChosen] = useState<BlockId | undefined>(currentHash() || undefined);
  const [jump, setJump] = useState<ScrollTarget>();
  const round = useRef(0);
  /** The block that the address names, as far as this page has put it there. */
  const named = useRef(currentHash());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const place = useRef<ScrollPosition>(undefined);
  const choose = useCallback((id: BlockId, align: ScrollTarget['align'], isFocused = true) => {
    clearTimeout(timer.current);
    if (isFocused) setChosen(id);
    setJump({ version: ++round.current, id, align, isFocused });
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  useArrivals(named, setChosen, choose);

  const step = useCallback(
    (id: BlockId) => {
      choose(id, 'nearest');
      timer.current = setTimeout(() => {
        named.current = id;
        navigate(blockHref(id), { replace: true });
      }, ADDRESS_MS);
    },
    [choose],
  );
  const go = useCallback(
    (id: BlockId) => {
      if (place.current) history.replaceState({ place: place.current }, '');
      named.current = id;
      choose(id, 'start');
      navigate(blockHref(id));
    },
    [choose],
  );
  const stand = useCallback((now: ScrollPosition) => {
    place.current = now;
    history.replaceState({ place: now }, '');
  }, []);
  return { chosen, jump, step, jumpTo: go, saveScroll: stand };
}

/** Follows the address: at first, over the steps of the history, and over links within the page. */
function useArrivals(
  named: { current: string },
  setChosen: (id: BlockId | undefined) => void,
  choose: (id: BlockId, align: ScrollTarget['align'], isFocused?: boolean) => void,
): void {
  const hash = useHash();
  useEffect(() => {
    const arrive = () => {
      const id = currentHash();
      const known = (history.state as { readonly place?: ScrollPosition } | null)?.place;
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

/** Which rows are closed: all or none, but for some. */
export interface CollapseState {
  readonly isClosed: (row: TranscriptRow) => boolean;
  readonly toggle: (row: TranscriptRow) => void;
  readonly all: (isClosed: boolean) => void;
  /** Opens a row and all that it is in. */
  readonly reveal: (row: TranscriptRow) => void;
}

export function useCollapse(): CollapseState {
  const [{ isAllClosed, except }, set] = useState({
    isAllClosed: false,
    except: new Set<string>() as ReadonlySet<string>,
  });
  const isClosed = useCallback((row: TranscriptRow) => isAllClosed !== except.has(row.id), [isAllClosed, except]);
  const change = (rows: readonly TranscriptRow[]) => {
    const changed = new Set(except);
    for (const { id } of rows) if (!changed.delete(id)) changed.add(id);
    set({ isAllClosed, except: changed });
  };
  return {
    isClosed,
    toggle: (row) => change([row]),
    all: (closed) => set({ isAllClosed: closed, except: new Set() }),
    reveal(row) {
      const closed: TranscriptRow[] = [];
      for (let at: TranscriptRow | undefined = row; at; at = at.parent) if (isClosed(at)) closed.push(at);
      if (closed.length > 0) change(closed);
    },
  };
}

import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useResize } from '../parts/hooks.ts';
import { ScrollScale } from '../parts/scroll-scale.ts';
import type { TraceFeed } from './feed.ts';
import { rowId, type TranscriptRow, topRow } from './outline.ts';
import { VirtualScroller } from './scroller.ts';
import type { Reading } from './use-reading.ts';
import type { BlockSelection, ScrollTarget } from './use-view.ts';
import { indexOfRow } from './visible-rows.ts';

const MARGIN_PX = 8;
const SCROLL_END_MS = 250;

/** Connects a scroller to the element that scrolls. */
export function useScroller({ rows, view, folding }: Reading, { outline, state }: TraceFeed) {
  const { jump } = view;
  const arrived = state.newBlockCount;
  const element = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const [, setRound] = useState(0);
  const draw = useCallback(() => setRound((round) => round + 1), []);
  const scroller = useMemo(() => new VirtualScroller(), []);
  const scale = useMemo(() => new ScrollScale(), []);
  const shown = useRef<unknown>(undefined);
  const seen = useRef(0);
  const jumped = useRef(0);

  if (shown.current !== rows) {
    // While the outline is loaded, a jump to the end leads to the end of what is loaded so far.
    scroller.show(rows, folding.isClosed, state.isLive || (jump?.align === 'end' && !state.isComplete));
    shown.current = rows;
  }
  if (scroller.isAtEnd) seen.current = arrived;
  const { from, to } = scroller.range();
  scale.place(scroller.total, scroller.viewHeight, scroller.top);

  /** Sets the height and scroll position of the elements. */
  const apply = useCallback(() => {
    const { current } = element;
    if (!current || !spacer.current) return;
    scale.place(scroller.total, scroller.viewHeight, scroller.top);
    spacer.current.style.height = `${scale.height}px`;
    if (Math.abs(current.scrollTop - scale.scrollTop) >= 1) current.scrollTop = scale.scrollTop;
  }, [scroller, scale]);
  const move = useCallback(() => {
    apply();
    draw();
  }, [apply, draw]);
  useLayoutEffect(apply, [rows]);
  useLayoutEffect(() => {
    if (!jump || jumped.current === jump.version) return;
    const target = outline.rowOf(jump.id);
    const top = topRow(target);
    // The jump continues when the agent is open.
    if (top?.inner && top !== target && folding.isClosed(top)) return folding.toggle(top);
    const index = indexOfRow(rows, target);
    if (index < 0) return;
    jumped.current = jump.version;
    goTo(scroller, index, jump.align);
    move();
    if (jump.isFocused) requestAnimationFrame(() => focusRow(element.current, scroller.rows[index]?.id));
  });

  const observe = useMeasuring(scroller, move);
  useResize(element, ({ clientWidth, clientHeight }) => scroller.resize(clientWidth, clientHeight) && move());
  const onScroll = useScrolling(element, { scroller, scale }, { draw, move, onScrollEnd: view.saveScroll });
  return {
    element,
    spacer,
    scroller,
    scale,
    from,
    to,
    observe,
    onScroll,
    unseen: arrived - seen.current,
    toEnd() {
      scroller.toEnd();
      move();
    },
    /** Scrolls a part of a row into view: `from` to `to` px below its top. */
    reveal: (row: TranscriptRow, from: number, to: number) =>
      scroller.reveal(indexOfRow(rows, row), from, to) && move(),
    /** Changes a row, and keeps its position. */
    keeping(row: TranscriptRow, change: (row: TranscriptRow) => void) {
      const index = rows.indexOf(row);
      scroller.anchorTo(index, scroller.topOf(index) - scroller.top);
      change(row);
    },
  };
}

function goTo(scroller: VirtualScroller, index: number, align: ScrollTarget['align']): void {
  const seen = scroller.offsetOf(index);
  if (align === 'end') scroller.toEnd();
  else if (typeof align === 'number') scroller.anchorTo(index, -align);
  else if (align === 'start' || seen === undefined) {
    const above = scroller.topOf(index) < scroller.top;
    const room = scroller.viewHeight - scroller.heightOf(index) - MARGIN_PX;
    const isStep = align === 'nearest' && !above && room > MARGIN_PX;
    scroller.anchorTo(index, isStep ? room : MARGIN_PX);
  } else scroller.anchorTo(index, seen);
}

function focusRow(element: HTMLElement | null, id: string | undefined): void {
  // The reward strip keeps the focus while the user steps through it.
  if (id === undefined || !element || document.activeElement?.matches('.tr-bars:focus-visible')) return;
  element.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)?.focus({ preventScroll: true });
}

/**
 * Measures the rendered rows.
 *
 * @returns the ref of each row.
 */
function useMeasuring(scroller: VirtualScroller, onMove: () => void): (row: HTMLElement | null) => void {
  const moved = useRef(onMove);
  moved.current = onMove;
  const observer: ResizeObserver = useMemo(
    () =>
      new ResizeObserver((entries) => {
        const heights = new Map(
          entries.flatMap(({ target, borderBoxSize: [box] }) => {
            const row = target as HTMLElement;
            if (!row.isConnected) observer.unobserve(row);
            // A row whose body is not loaded has its estimated height.
            if (!box || !row.isConnected || row.querySelector('[data-whole="false"]')) return [];
            return [[Number(row.dataset.index), box.blockSize] as const];
          }),
        );
        if (scroller.measure(heights)) moved.current();
      }),
    [scroller],
  );
  useEffect(() => () => observer.disconnect(), [observer]);
  return useCallback((row) => void (row && observer.observe(row)), [observer]);
}

function useScrolling(
  element: { readonly current: HTMLElement | null },
  { scroller, scale }: { readonly scroller: VirtualScroller; readonly scale: ScrollScale },
  { draw, move, onScrollEnd }: { draw: () => void; move: () => void; onScrollEnd: BlockSelection['saveScroll'] },
): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    const { current } = element;
    if (!current || Math.abs(current.scrollTop - scale.scrollTop) < 1) return;
    // Near the end, browsers scroll a view that grows before they report its new size.
    if (scroller.resize(current.clientWidth, current.clientHeight)) return move();
    const before = { ...scroller.range(), shift: scale.shift };
    // If the page itself has scrolled, the scroller already has this position.
    scroller.scrolled(scale.follow(current.scrollTop));
    if (Math.abs(current.scrollTop - scale.scrollTop) >= 1) current.scrollTop = scale.scrollTop;
    const now = scroller.range();
    const isMoved = before.from !== now.from || before.to !== now.to || before.shift !== scale.shift;
    if (isMoved || scroller.isAtEnd) draw();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const { anchor } = scroller;
      const id = rowId(anchor?.row);
      if (anchor && id !== undefined) onScrollEnd({ id, offset: anchor.offset });
    }, SCROLL_END_MS);
  }, [element, scroller, scale, draw, move, onScrollEnd]);
}

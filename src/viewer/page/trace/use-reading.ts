import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BlockId } from '../../../../generated/trace.ts';
import { navigate, useQuery, withQuery } from '../api/location.ts';
import { asRequestError, type RequestError } from '../api/request-error.ts';
import { useShortcuts } from '../api/shortcuts.ts';
import { readPages, traceApi, unwrapResponse } from '../api/store.ts';
import type { TraceFeed } from './feed.ts';
import { type Outline, rowId, type TranscriptRow } from './outline.ts';
import { type BlockSelection, type CollapseState, useBlockSelection, useCollapse } from './use-view.ts';
import {
  beginsMessage,
  matchesFilters,
  nextRow,
  parseRowFilters,
  type RowFilter,
  stepOrigin,
  visibleRows,
} from './visible-rows.ts';

/** State of reading a trace: visible rows, selection, search, panes, and the actions that change them. */
export type Reading = ReturnType<typeof useTranscript>;

export function useTranscript({ feed, org }: { readonly feed: TraceFeed; readonly org: string }) {
  const { outline } = feed;
  const query = useQuery();
  const text = query.get('q') ?? '';
  const only = query.get('only');
  const view = useBlockSelection();
  const folding = useCollapse();
  const panes = usePanes();
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const filters = useMemo(() => parseRowFilters(only), [only]);
  const { isClosed } = folding;
  const rows = useMemo(
    () => visibleRows(outline, { isClosed, filters }),
    [outline, outline.version, isClosed, filters],
  );
  const row = view.chosen === undefined ? undefined : outline.rowOf(view.chosen);
  useSeek(feed, view.chosen, row !== undefined);
  const search = useSearch({ feed, org, text, filters, row, view, folding });
  const chooseRow = (chosen: TranscriptRow | undefined) => {
    const id = rowId(chosen);
    if (id) view.step(id);
  };
  const stepRow = (by: 1 | -1, isWanted?: Parameters<typeof nextRow>[3], within = rows) => {
    const from = row ? stepOrigin(within, row, by, outline) : by === 1 ? -1 : within.length;
    chooseRow(nextRow(within, from, by, isWanted));
  };
  /** Goes to the next message, also inside of closed agents. */
  const stepMessage = (by: 1 | -1) => {
    const all = visibleRows(outline, { isClosed: (each) => !each.inner && isClosed(each), filters });
    stepRow(by, (_, index) => beginsMessage(all, index), all);
  };
  const goToEnd = () => {
    const last = rowId(nextRow(rows, rows.length, -1));
    if (last) view.step(last, 'end');
  };
  const showWhole = (shown: TranscriptRow) => setWhole(new Set([...whole, shown.id]));
  const open = (closed: TranscriptRow) =>
    closed.inner || folding.isClosed(closed) ? folding.toggle(closed) : showWhole(closed);
  useShortcuts({
    j: { description: 'next block', run: () => stepRow(1) },
    k: { description: 'previous block', run: () => stepRow(-1) },
    J: { description: 'next message', run: () => stepMessage(1) },
    K: { description: 'previous message', run: () => stepMessage(-1) },
    Home: { description: 'first block', run: () => !isInBox() && chooseRow(nextRow(rows, -1, 1)) },
    End: { description: 'last block', run: () => !isInBox() && goToEnd() },
    e: { description: 'open all blocks', run: () => folding.all(false) },
    c: { description: 'close all blocks', run: () => folding.all(true) },
    i: { description: 'show or hide the inspector', run: () => panes.toggle('inspector') },
    o: { description: 'show or hide the outline', run: () => panes.toggle('outline') },
    Enter: { description: 'open the selected block', run: () => clickFocused(() => row && open(row)) },
  });
  return {
    ...search,
    rows,
    row,
    view,
    folding,
    panes,
    stepRow,
    chooseRow,
    showWhole,
    isWhole: (shown: TranscriptRow) => whole.has(shown.id),
    go(id: BlockId) {
      const target = outline.rowOf(id);
      if (target) folding.reveal(target);
      view.jumpTo(id);
    },
    goFromOutline(target: TranscriptRow) {
      const id = rowId(target);
      if (id) view.jumpTo(id);
      panes.closeSheets();
    },
  };
}

/** Loads the selected block ahead of its page. */
function useSeek(feed: TraceFeed, chosen: BlockId | undefined, isThere: boolean): void {
  useEffect(() => {
    // Agents have no block.
    if (!chosen?.startsWith('tb_') || isThere) return;
    const stop = new AbortController();
    // The feed reports the failure when it loads the outline.
    feed.seek(chosen, stop.signal).catch(() => {});
    return () => stop.abort();
  }, [feed, chosen, isThere]);
}

interface TranscriptSearch {
  readonly feed: TraceFeed;
  readonly org: string;
  readonly text: string;
  readonly filters: ReadonlySet<RowFilter>;
  readonly row: TranscriptRow | undefined;
  readonly view: BlockSelection;
  readonly folding: CollapseState;
}

function useSearch({ feed, org, text, filters, row, view, folding }: TranscriptSearch) {
  const { outline } = feed;
  const [marked, setMarked] = useState<{ readonly row: TranscriptRow; readonly round: number }>();
  const hits = useBlockHits(org, feed.traceId, text);
  const found = useMemo(() => hitRows(outline, hits.ids, filters), [outline, outline.version, hits.ids, filters]);
  const hitIds = useMemo(() => new Set(hits.ids), [hits.ids]);
  const at = row ? found.indexOf(row) : -1;
  const pendingStep = useRef<1 | -1>(undefined);
  const onStep = (by: 1 | -1) => {
    const next = found[nextHit(found.length, at, by)];
    // Without a hit so far, the step is made when the first one arrives.
    pendingStep.current = next || !hits.isSearching ? undefined : by;
    if (!next) return;
    folding.reveal(next);
    view.step(next.blocks.findLast(({ id }) => hitIds.has(id))?.id ?? next.id);
    setMarked({ row: next, round: (marked?.round ?? 0) + 1 });
  };
  useEffect(() => {
    if (pendingStep.current && found.length > 0) onStep(pendingStep.current);
  }, [found]);
  const change = (changes: Parameters<typeof withQuery>[0]) =>
    navigate(withQuery(changes) + location.hash, { replace: true });
  return {
    marked,
    hitIds,
    search: {
      text,
      at,
      filters,
      onStep,
      hits: { ...hits, ids: found },
      onText: (typed: string) => change({ q: typed || undefined }),
      onFilters: (chosen: ReadonlySet<RowFilter>) => change({ only: [...chosen].join(',') || undefined }),
    },
  };
}

/** Returns the next index, cyclically. */
const nextHit = (count: number, at: number, by: 1 | -1): number =>
  at < 0 ? (by === 1 ? 0 : count - 1) : (at + by + count) % count;

/** Returns whether the focus is in a part that scrolls by itself, such as a long text. */
const isInBox = (): boolean => document.activeElement?.matches('.payload-box, .scroll-x, .tr-inspector *') ?? false;

/** Clicks the focused element, or runs `orElse` if it cannot be clicked. */
function clickFocused(orElse: () => void): void {
  const at = document.activeElement;
  if (at instanceof HTMLElement && at.matches('a[href], button, summary')) at.click();
  else orElse();
}

/** Returns the visible rows of hits in order, each once. */
function hitRows(outline: Outline, ids: readonly BlockId[], filters: ReadonlySet<RowFilter>): TranscriptRow[] {
  if (ids.length === 0) return [];
  const found = new Set(ids.flatMap((id) => outline.rowOf(id) ?? []));
  const all = visibleRows(outline, { isClosed: () => false, filters: new Set() });
  return all.filter((row) => found.has(row) && (filters.size === 0 || matchesFilters(row, filters)));
}

/** Media queries of trace.css. */
const OUTLINE_BESIDE = '(min-width: 48rem)';
const INSPECTOR_BESIDE = '(min-width: 76rem)';

/** Panes that the user opened or closed, kept for the next trace. */
let chosen: { readonly outline?: boolean; readonly inspector?: boolean } = {};

/** Returns the panes next to the transcript, or above it on narrow screens. */
function usePanes() {
  const [, setRound] = useState(0);
  const set = (changes: typeof chosen) => {
    chosen = { ...chosen, ...changes };
    setRound((round) => round + 1);
  };
  const shown = {
    outline: matchMedia(OUTLINE_BESIDE).matches,
    inspector: matchMedia(INSPECTOR_BESIDE).matches,
    ...chosen,
  };
  return {
    ...shown,
    toggle: (pane: keyof typeof shown) => set({ [pane]: !shown[pane] }),
    /** Closes the outline if it covers the transcript. */
    closeSheets() {
      if (shown.outline && !matchMedia(OUTLINE_BESIDE).matches) set({ outline: false });
    },
  };
}

const TYPING_MS = 250;
const PAGE = 200;
/** Maximum number of hits to step through. */
const MAX_COUNT = 5_000;

interface BlockHits {
  /** Blocks with a hit, in order of writing. */
  readonly ids: readonly BlockId[];
  readonly isSearching: boolean;
  /** Set if there may be more hits. */
  readonly isTruncated: boolean;
  readonly failure: RequestError | undefined;
}

const NONE: BlockHits = { ids: [], isSearching: false, isTruncated: false, failure: undefined };
const SEARCHING: BlockHits = { ...NONE, isSearching: true };

/** Searches the blocks of a trace, and returns the hits as they arrive; none for an empty text. */
function useBlockHits(org: string, traceId: string, text: string): BlockHits {
  const key = `${org} ${traceId} ${text}`;
  const [{ of, hits }, setState] = useState({ of: '', hits: NONE });
  useEffect(() => {
    if (text === '') return;
    const stop = new AbortController();
    const show = (changed: BlockHits) => !stop.signal.aborted && setState({ of: key, hits: changed });
    const find = async () => {
      const ids: BlockId[] = [];
      const pages = readPages((next) => {
        const params = { path: { org }, query: { trace_id: traceId, q: text, limit: PAGE, ...next } };
        return unwrapResponse(traceApi.findBlocks({ params, signal: stop.signal }));
      });
      for await (const { hits: found, page } of pages) {
        ids.push(...found.map(({ block }) => block.id));
        const isFull = ids.length >= MAX_COUNT;
        const hasMore = page.next_cursor !== null;
        show({ ids: [...ids], isSearching: hasMore && !isFull, isTruncated: hasMore && isFull, failure: undefined });
        if (isFull) return;
      }
    };
    const fail = (error: unknown) => show({ ...NONE, failure: asRequestError(error) });
    const timer = setTimeout(() => find().catch(fail), TYPING_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [org, traceId, text, key]);
  if (text === '') return NONE;
  return of === key ? hits : SEARCHING;
}

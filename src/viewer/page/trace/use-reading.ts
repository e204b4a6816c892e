import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { BlockId } from '../../../../generated/trace.ts';
import { navigate, useQuery, withQuery } from '../shell/location.ts';
import { useShortcuts } from '../shell/shortcuts.ts';
import type { Feed } from './feed.ts';
import { hitRows } from './hit-rows.ts';
import type { Row } from './outline.ts';
import { useHits } from './use-hits.ts';
import { usePanes } from './use-panes.ts';
import { type Folding, useFolding, useView, type View } from './use-view.ts';
import { type Filter, filtersIn, indexOfRow, rowAfter, visibleRows } from './visible-rows.ts';

interface Reader {
  readonly rows: readonly Row[];
  readonly row: Row | undefined;
  readonly view: View;
  readonly folding: Folding;
}

/** How somebody reads a trace: which rows are shown, which one is chosen, what is searched, and the keys for it. */
export function useReading({ feed, org }: { readonly feed: Feed; readonly org: string }) {
  const { outline } = feed;
  const query = useQuery();
  const text = query.get('q') ?? '';
  const only = query.get('only');
  const view = useView();
  const folding = useFolding();
  const panes = usePanes();
  const [whole, setWhole] = useState<ReadonlySet<string>>(new Set());
  const filters = useMemo(() => filtersIn(only), [only]);
  const { isClosed } = folding;
  const rows = useMemo(
    () => visibleRows(outline, { isClosed, filters }),
    [outline, outline.version, isClosed, filters],
  );
  const row = view.chosen === undefined ? undefined : outline.rowOf(view.chosen);
  useSought(feed, view.chosen, row !== undefined);
  const search = useSearch({ feed, org, text, filters, row, view, folding });
  const toRow = (next: Row | undefined) => next?.blocks[0] && view.step(idIn(next));
  const stepRow = (by: 1 | -1, isWanted?: (row: Row) => boolean) =>
    toRow(rowAfter(rows, row ? indexOfRow(rows, row) : by === 1 ? -1 : rows.length, by, isWanted));
  const go = (id: BlockId) => {
    const target = outline.rowOf(id);
    if (target) folding.reveal(target);
    view.go(id);
  };
  const goFromOutline = (target: Row) => {
    if (target.blocks.length > 0) view.go(idIn(target));
    panes.closeSheets();
  };
  const showWhole = (shown: Row) => setWhole(new Set([...whole, shown.id]));
  useReadingKeys({ rows, row, view, folding }, { stepRow, showWhole, panes });
  return {
    ...{ rows, row, view, folding, panes, go, goFromOutline, showWhole, ...search },
    stepRow: (by: 1 | -1) => stepRow(by),
    chooseRow: (chosen: Row) => toRow(chosen),
    isWhole: (shown: Row) => whole.has(shown.id),
  };
}

/** A block that is chosen before it is read is read at once. */
function useSought(feed: Feed, chosen: BlockId | undefined, isThere: boolean): void {
  useEffect(() => {
    if (chosen === undefined || isThere) return;
    const stop = new AbortController();
    // What fails here is told of where all of the outline is read.
    feed.seek(chosen, stop.signal).catch(() => {});
    return () => stop.abort();
  }, [feed, chosen, isThere]);
}

/** The block that stands for a row: the last one, which is the result where there were pieces before it. */
const idIn = (row: Row): BlockId => row.blocks.at(-1)?.id ?? row.id;

interface Searching extends Omit<Reader, 'rows'> {
  readonly feed: Feed;
  readonly org: string;
  readonly text: string;
  readonly filters: ReadonlySet<Filter>;
}

function useSearch({ feed, org, text, filters, row, view, folding }: Searching) {
  const { outline } = feed;
  const [marked, setMarked] = useState<{ readonly row: Row; readonly round: number }>();
  const hits = useHits(org, feed.traceId, text);
  const found = useMemo(() => hitRows(outline, hits.ids, filters), [outline, outline.version, hits.ids, filters]);
  const hitIds = useMemo(() => new Set(hits.ids), [hits.ids]);
  const at = row ? found.indexOf(row) : -1;
  const wished = useRef<1 | -1>(undefined);
  const onStep = (by: 1 | -1) => {
    const next = found[nextHit(found.length, at, by)];
    // Who is faster than the search is taken to the first hit when it comes.
    wished.current = next || !hits.isSearching ? undefined : by;
    if (!next) return;
    folding.reveal(next);
    view.step(next.blocks.findLast(({ id }) => hitIds.has(id))?.id ?? idIn(next));
    setMarked({ row: next, round: (marked?.round ?? 0) + 1 });
  };
  useEffect(() => {
    if (wished.current && found.length > 0) onStep(wished.current);
  }, [found]);
  const change = (changes: Parameters<typeof withQuery>[0]) =>
    navigate(withQuery(changes) + location.hash, { replace: true });
  return {
    marked,
    hitIds,
    search: {
      ...{ text, at, filters, onStep },
      hits: { ...hits, ids: found },
      onText: (typed: string) => change({ q: typed || undefined }),
      onFilters: (chosen: ReadonlySet<Filter>) => change({ only: [...chosen].join(',') || undefined }),
    },
  };
}

/** Round and round. */
const nextHit = (count: number, at: number, by: 1 | -1): number =>
  at < 0 ? (by === 1 ? 0 : count - 1) : (at + by + count) % count;

interface Acts {
  readonly stepRow: (by: 1 | -1, isWanted?: (row: Row) => boolean) => void;
  readonly showWhole: (row: Row) => void;
  readonly panes: ReturnType<typeof usePanes>;
}

function useReadingKeys({ row, folding }: Reader, { stepRow, showWhole, panes }: Acts): void {
  const isMessage = ({ kind }: Row) => kind === 'message';
  useShortcuts({
    j: { does: 'next block', run: () => stepRow(1) },
    k: { does: 'previous block', run: () => stepRow(-1) },
    J: { does: 'next message', run: () => stepRow(1, isMessage) },
    K: { does: 'previous message', run: () => stepRow(-1, isMessage) },
    e: { does: 'open all blocks', run: () => folding.all(false) },
    c: { does: 'close all blocks', run: () => folding.all(true) },
    i: { does: 'show or hide the inspector', run: () => panes.toggle('inspector') },
    o: { does: 'show or hide the outline', run: () => panes.toggle('outline') },
    Enter: { does: 'open the chosen block', run: () => pressed(() => row && open(row)) },
  });
  const open = (chosen: Row) => {
    if (folding.isClosed(chosen)) folding.toggle(chosen);
    else showWhole(chosen);
  };
}

/** What has the keyboard is pressed, if it can be; else the block is opened. */
function pressed(orElse: () => void): void {
  const at = document.activeElement;
  if (at instanceof HTMLElement && at.matches('a[href], button, summary')) at.click();
  else orElse();
}

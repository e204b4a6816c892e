import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { plural } from '../../../core/index.ts';
import { Reward } from '../parts/badges.tsx';
import { IconButton } from '../parts/buttons.tsx';
import { useResize } from '../parts/hooks.ts';
import { ScrollScale } from '../parts/scroll-scale.ts';
import type { TranscriptRow } from './outline.ts';
import type { Reading } from './use-reading.ts';
import { blocksOf, rowHasError, rowLabel, rowPreview, rowReward } from './visible-rows.ts';

interface Props {
  readonly reading: Reading;
}

/** Outline with its toolbar. */
export function OutlinePane({ reading }: Props) {
  const { rows, folding, panes } = reading;
  return (
    <section class="stack tr-outline" aria-label="Outline of the trace">
      <header class="tr-outline-head">
        <span class="tr-lanes" title="Lanes: MESSAGE, ACT, OBSERVE" aria-hidden="true">
          <b>M</b>
          <b>A</b>
          <b>O</b>
        </span>
        <small>{plural(rows.length, 'row')}</small>
        <span class="spring" />
        <IconButton icon="⊞" label="Open all" shortcut="e" onClick={() => folding.all(false)} />
        <IconButton icon="⊟" label="Close all" shortcut="c" onClick={() => folding.all(true)} />
        <IconButton icon="✕" label="Hide the outline" shortcut="o" onClick={() => panes.toggle('outline')} />
      </header>
      <OutlineTree reading={reading} />
    </section>
  );
}

/** Height of `.tr-item` in trace.css. */
const ITEM_PX = 24;
const OVERSCAN = 10;

/** Tree of all rows, one line each. */
function OutlineTree({ reading }: Props) {
  const { rows, row: chosen } = reading;
  const { element, scale, from, to, onScroll } = useLines(rows, chosen);
  const drawn = rows.slice(from, to);
  return (
    <div
      class="tr-tree"
      ref={element}
      role="tree"
      aria-label="Outline"
      tabIndex={0}
      aria-activedescendant={chosen && drawn.includes(chosen) ? `tr-item-${chosen.id}` : undefined}
      onScroll={onScroll}
      onKeyDown={(event) => handleKey(event, reading)}
    >
      <div class="tr-items" role="presentation" style={{ height: `${scale.height}px` }}>
        {drawn.map((row, at) => (
          <Item key={row.id} reading={reading} row={row} top={(from + at) * ITEM_PX + scale.shift} />
        ))}
      </div>
    </div>
  );
}

function handleKey(event: KeyboardEvent, { row, folding, stepRow, goFromOutline }: Reading): void {
  const actions: Record<string, () => void> = {
    ArrowDown: () => stepRow(1),
    ArrowUp: () => stepRow(-1),
    ArrowRight: () => row && folding.isClosed(row) && folding.toggle(row),
    ArrowLeft: () => {
      if (!row) return;
      if (!folding.isClosed(row)) folding.toggle(row);
      else if (row.parent) goFromOutline(row.parent);
    },
  };
  const run = actions[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

function Item({ reading, row, top }: Props & { readonly row: TranscriptRow; readonly top: number }) {
  const isClosed = reading.folding.isClosed(row);
  const reward = rowReward(row);
  const hasChildren = row.children.length > 0;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      id={`tr-item-${row.id}`}
      class={`tr-item ${rowClasses(row, reading)}`}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-selected={row === reading.row}
      {...(hasChildren && { 'aria-expanded': !isClosed })}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => {
        reading.goFromOutline(row);
        if (row.inner) reading.folding.toggle(row);
      }}
    >
      <BlockLane row={row} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: part of an item of the tree */}
      <span
        class="tr-twist"
        onClick={(event) => {
          if (!hasChildren) return;
          event.stopPropagation();
          reading.folding.toggle(row);
        }}
      >
        {hasChildren && (isClosed ? '▸' : '▾')}
      </span>
      <span class="clipped tr-label">{rowLabel(row)}</span>
      <span class="clipped muted tr-line">{rowPreview(row)}</span>
      {rowHasError(row) && (
        <span class="failed" title="failed">
          ✕
        </span>
      )}
      {reward !== null && <Reward value={reward} />}
    </div>
  );
}

/** Returns the classes of a row in the outline and in the transcript. */
export function rowClasses(row: TranscriptRow, { row: chosen, hitIds }: Reading): string {
  const hit = blocksOf(row).some(({ id }) => hitIds.has(id)) ? 'tr-hit' : '';
  return `tr-${row.kind} tr-depth-${row.depth} ${row === chosen ? 'tr-chosen' : ''} ${hit}`;
}

/** Returns the range of visible lines and their place, and scrolls the selected one into view. */
function useLines(rows: readonly TranscriptRow[], chosen: TranscriptRow | undefined) {
  const element = useRef<HTMLDivElement>(null);
  const scale = useMemo(() => new ScrollScale(), []);
  const [{ top, height }, setView] = useState({ top: 0, height: 900 });
  const total = rows.length * ITEM_PX;
  scale.place(total, height, top);
  const show = (current: HTMLElement) => {
    if (Math.abs(current.scrollTop - scale.scrollTop) >= 1) current.scrollTop = scale.scrollTop;
    setView({ top: scale.top, height: current.clientHeight });
  };
  const updateView = () => {
    const { current } = element;
    if (!current) return;
    const isScrolled = Math.abs(current.scrollTop - scale.scrollTop) >= 1;
    if (isScrolled) scale.follow(current.scrollTop);
    if (isScrolled || current.clientHeight !== height) show(current);
  };
  useResize(element, updateView);
  const index = chosen ? rows.indexOf(chosen) : -1;
  useLayoutEffect(() => {
    const { current } = element;
    if (!current || index < 0) return;
    const { clientHeight } = current;
    const below = index * ITEM_PX - scale.top;
    if (below >= 0 && below + ITEM_PX <= clientHeight) return;
    const centred = index * ITEM_PX - clientHeight / 2;
    scale.place(total, clientHeight, Math.max(0, Math.min(total - clientHeight, centred)));
    show(current);
  }, [index]);
  return {
    element,
    scale,
    from: Math.max(0, Math.floor(top / ITEM_PX) - OVERSCAN),
    to: Math.ceil((top + height) / ITEM_PX) + OVERSCAN,
    onScroll: updateView,
  };
}

const LANES: Partial<Record<TranscriptRow['kind'], string>> = {
  message: 'MESSAGE',
  thought: 'ACT',
  call: 'ACT',
  results: 'OBSERVE',
};

/** Shows the lane of a row, by position and by colour. */
export function BlockLane({ row }: { readonly row: TranscriptRow }) {
  const lane = LANES[row.kind];
  return <i class={`tr-lane ${lane ? `tr-lane-${lane.toLowerCase()}` : ''}`} title={lane} />;
}

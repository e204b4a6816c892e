import type { ComponentProps } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { BlockId } from '../../../../generated/trace.ts';
import { plural } from '../../../core/index.ts';
import { Reward } from '../parts/badges.tsx';
import { IconButton } from '../parts/buttons.tsx';
import { useResize } from '../parts/hooks.ts';
import type { TranscriptRow } from './outline.ts';
import { rowHasError, rowLabel, rowPreview, rowReward } from './visible-rows.ts';

interface Props extends ComponentProps<typeof OutlineTree> {
  readonly onAll: (isClosed: boolean) => void;
  readonly onClose: () => void;
}

/** Outline with its toolbar. */
export function OutlinePane({ onAll, onClose, ...tree }: Props) {
  return (
    <section class="stack tr-outline" aria-label="Outline of the trace">
      <header class="tr-outline-head">
        <span class="tr-lanes" title="Lanes: MESSAGE, ACT, OBSERVE" aria-hidden="true">
          <b>M</b>
          <b>A</b>
          <b>O</b>
        </span>
        <small>{plural(tree.rows.length, 'row')}</small>
        <span class="spring" />
        <IconButton label="Open all" shortcut="e" onClick={() => onAll(false)}>
          ⊞
        </IconButton>
        <IconButton label="Close all" shortcut="c" onClick={() => onAll(true)}>
          ⊟
        </IconButton>
        <IconButton label="Hide the outline" shortcut="o" onClick={onClose}>
          ✕
        </IconButton>
      </header>
      <OutlineTree {...tree} />
    </section>
  );
}

/** Height of `.tr-item` in trace.css. */
const ITEM_PX = 24;
const OVER = 10;

interface TreeProps {
  readonly rows: readonly TranscriptRow[];
  readonly chosen: TranscriptRow | undefined;
  readonly hits: ReadonlySet<BlockId>;
  readonly isClosed: (row: TranscriptRow) => boolean;
  readonly onGo: (row: TranscriptRow) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onToggle: (row: TranscriptRow) => void;
}

/** Tree of all rows, one line each. */
export function OutlineTree(props: TreeProps) {
  const { rows, chosen } = props;
  const { element, from, to, onScroll } = useLines(rows, chosen);
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
      onKeyDown={(event) => pressed(event, props)}
    >
      <div class="tr-items" role="presentation" style={{ height: `${rows.length * ITEM_PX}px` }}>
        {drawn.map((row, at) => (
          <Item key={row.id} {...props} row={row} top={(from + at) * ITEM_PX} />
        ))}
      </div>
    </div>
  );
}

function pressed(event: KeyboardEvent, { chosen, isClosed, onStep, onToggle, onGo }: TreeProps): void {
  const does: Record<string, () => void> = {
    ArrowDown: () => onStep(1),
    ArrowUp: () => onStep(-1),
    ArrowRight: () => chosen && isClosed(chosen) && onToggle(chosen),
    ArrowLeft: () => {
      if (!chosen) return;
      if (!isClosed(chosen)) onToggle(chosen);
      else if (chosen.parent) onGo(chosen.parent);
    },
  };
  const run = does[event.key];
  if (!run) return;
  event.preventDefault();
  run();
}

function Item({
  row,
  top,
  chosen,
  hits,
  isClosed,
  onGo,
  onToggle,
}: TreeProps & { readonly row: TranscriptRow; readonly top: number }) {
  const reward = rowReward(row);
  const hasChildren = row.children.length > 0;
  const classes = [
    `tr-item tr-${row.kind} tr-depth-${row.depth}`,
    ...(row === chosen ? ['tr-chosen'] : []),
    ...(row.blocks.some(({ id }) => hits.has(id)) ? ['tr-hit'] : []),
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree that it is in takes the keys
    <div
      id={`tr-item-${row.id}`}
      class={classes.join(' ')}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-selected={row === chosen}
      {...(hasChildren && { 'aria-expanded': !isClosed(row) })}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => onGo(row)}
    >
      <BlockLane row={row} />
      {hasChildren ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
        // biome-ignore lint/a11y/noStaticElementInteractions: a part of the tree's item
        <span
          class="tr-twist"
          onClick={(event) => {
            event.stopPropagation();
            onToggle(row);
          }}
        >
          {isClosed(row) ? '▸' : '▾'}
        </span>
      ) : (
        <span class="tr-twist" />
      )}
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

/** Returns the range of visible lines, and scrolls the selected one into view. */
function useLines(rows: readonly TranscriptRow[], chosen: TranscriptRow | undefined) {
  const element = useRef<HTMLDivElement>(null);
  const [{ top, height }, setView] = useState({ top: 0, height: 900 });
  const look = () => {
    const { current } = element;
    if (current && (current.scrollTop !== top || current.clientHeight !== height)) {
      setView({ top: current.scrollTop, height: current.clientHeight });
    }
  };
  useResize(element, look);
  const place = chosen ? rows.indexOf(chosen) : -1;
  useLayoutEffect(() => {
    const { current } = element;
    if (!current || place < 0) return;
    const above = place * ITEM_PX - current.scrollTop;
    if (above >= 0 && above + ITEM_PX <= current.clientHeight) return;
    current.scrollTop = place * ITEM_PX - current.clientHeight / 2;
    look();
  }, [place]);
  return {
    element,
    from: Math.max(0, Math.floor(top / ITEM_PX) - OVER),
    to: Math.ceil((top + height) / ITEM_PX) + OVER,
    onScroll: look,
  };
}

const LANES = {
  message: 'MESSAGE',
  thought: 'ACT',
  call: 'ACT',
  results: 'OBSERVE',
  heading: undefined,
  gap: undefined,
} as const;

/** Shows the lane of a row, by position and by colour. */
export function BlockLane({ row }: { readonly row: TranscriptRow }) {
  const lane = LANES[row.kind];
  return <i class={`tr-lane ${lane ? `tr-lane-${lane.toLowerCase()}` : ''}`} title={lane} />;
}

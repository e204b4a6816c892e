import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { BlockId } from '../../../../generated/trace.ts';
import { Reward } from '../parts/reward.tsx';
import { BlockLane } from './lane.tsx';
import type { TranscriptRow } from './outline.ts';
import { rowHasError, rowLabel, rowPreview, rowReward } from './row-texts.ts';

/** That of `.tr-item` in trace.css. */
const ITEM_PX = 24;
const OVER = 10;

interface Props {
  readonly rows: readonly TranscriptRow[];
  readonly chosen: TranscriptRow | undefined;
  readonly hits: ReadonlySet<BlockId>;
  readonly isClosed: (row: TranscriptRow) => boolean;
  readonly onGo: (row: TranscriptRow) => void;
  readonly onStep: (by: 1 | -1) => void;
  readonly onToggle: (row: TranscriptRow) => void;
}

/** Everything that happened, a line each. */
export function OutlineTree(props: Props) {
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

function pressed(event: KeyboardEvent, { chosen, isClosed, onStep, onToggle, onGo }: Props): void {
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
}: Props & { readonly row: TranscriptRow; readonly top: number }) {
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
      <span class="tr-label">{rowLabel(row)}</span>
      <span class="tr-line">{rowPreview(row)}</span>
      {rowHasError(row) && (
        <span class="tr-failed" title="failed">
          ✕
        </span>
      )}
      {reward !== null && <Reward value={reward} />}
    </div>
  );
}

/** Which lines of the list are seen; the chosen one is brought into sight. */
function useLines(rows: readonly TranscriptRow[], chosen: TranscriptRow | undefined) {
  const element = useRef<HTMLDivElement>(null);
  const [{ top, height }, setView] = useState({ top: 0, height: 900 });
  const look = () => {
    const { current } = element;
    if (current && (current.scrollTop !== top || current.clientHeight !== height)) {
      setView({ top: current.scrollTop, height: current.clientHeight });
    }
  };
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const observer = new ResizeObserver(() => setView({ top: current.scrollTop, height: current.clientHeight }));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
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

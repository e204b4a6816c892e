import type { ComponentProps } from 'preact';
import { plural } from '../../../core/index.ts';
import { OutlineTree } from './outline-tree.tsx';

interface Props extends ComponentProps<typeof OutlineTree> {
  readonly onAll: (isClosed: boolean) => void;
  readonly onClose: () => void;
}

/** The outline, and what stands above it. */
export function OutlinePane({ onAll, onClose, ...tree }: Props) {
  return (
    <section class="tr-outline" aria-label="Outline of the trace">
      <header class="tr-outline-head">
        <span class="tr-lanes" title="Lanes: MESSAGE, ACT, OBSERVE" aria-hidden="true">
          <b>M</b>
          <b>A</b>
          <b>O</b>
        </span>
        <small>{plural(tree.rows.length, 'row')}</small>
        <span class="spring" />
        <button type="button" class="quiet" title="Open all: e" aria-label="Open all" onClick={() => onAll(false)}>
          ⊞
        </button>
        <button type="button" class="quiet" title="Close all: c" aria-label="Close all" onClick={() => onAll(true)}>
          ⊟
        </button>
        <button type="button" class="quiet" title="Hide the outline: o" aria-label="Hide the outline" onClick={onClose}>
          ✕
        </button>
      </header>
      <OutlineTree {...tree} />
    </section>
  );
}

import { useMemo, useRef, useState } from 'preact/hooks';
import { formatCount, plural } from '../../../core/index.ts';
import { useResize } from '../parts/hooks.ts';
import { formatReward } from '../parts/rewards.ts';
import type { TranscriptRow } from './outline.ts';
import { HEIGHT, type RewardStepRow, type StripBar, toBars, toStripPaths } from './reward-steps.ts';
import { rowLabel } from './visible-rows.ts';

const BAR_PX = 3;

interface Props {
  readonly steps: readonly RewardStepRow[];
  readonly chosen: TranscriptRow | undefined;
  readonly onGo: (step: RewardStepRow) => void;
}

/** Shows the reward of each step as a bar and their sum as a line; a click selects the step. */
export function RewardStrip({ steps, chosen, onGo }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element);
  const [pointed, setPointed] = useState<number>();
  const bars = useMemo(() => toBars(steps, Math.floor(width / BAR_PX)), [steps, width]);
  const at = steps.findIndex(({ row }) => row === chosen);
  const shown = steps[pointed ?? at];
  const stepAt = (x: number) => bars[Math.floor((x / width) * bars.length)]?.first;
  const rewarded = steps.filter(({ reward }) => reward !== null).length;
  return (
    <>
      <p class="stack tr-strip-text">
        <small class="clipped">
          {shown
            ? `step ${formatCount(steps.indexOf(shown) + 1)} of ${formatCount(steps.length)}: ${rowLabel(shown.row.parent?.kind === 'call' ? shown.row.parent : shown.row)}, reward ${
                shown.reward === null ? 'none' : formatReward(shown.reward)
              }, sum ${formatReward(shown.sum)}`
            : `${plural(steps.length, 'step')}, ${formatCount(rewarded)} with a reward`}
        </small>
      </p>
      <div
        ref={element}
        class="tr-bars"
        role="slider"
        tabIndex={0}
        aria-label="Step"
        aria-valuemin={1}
        aria-valuemax={Math.max(1, steps.length)}
        aria-valuenow={Math.max(1, at + 1)}
        aria-valuetext={shown ? `step ${steps.indexOf(shown) + 1}, reward ${formatReward(shown.reward)}` : 'no step'}
        onPointerMove={(event) => setPointed(stepAt(event.offsetX))}
        onPointerLeave={() => setPointed(undefined)}
        onClick={(event) => {
          const step = steps[stepAt(event.offsetX) ?? -1];
          if (step) onGo(step);
        }}
        onKeyDown={(event) => {
          const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
          const step = by === undefined ? undefined : steps[Math.max(0, Math.min(steps.length - 1, at + by))];
          if (!step) return;
          event.preventDefault();
          onGo(step);
        }}
      >
        {width > 0 && bars.length > 0 && <Bars bars={bars} width={width} at={at} />}
      </div>
    </>
  );
}

interface BarsProps {
  readonly bars: readonly StripBar[];
  readonly width: number;
  readonly at: number;
}

function Bars({ bars, width, at }: BarsProps) {
  const paths = useMemo(() => toStripPaths(bars, width), [bars, width]);
  const index = bars.findIndex(({ first, last }) => at >= first && at <= last);
  const each = width / bars.length;
  return (
    <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true">
      {index >= 0 && (
        <rect
          class="tr-bar-here"
          fill="var(--accent-soft)"
          x={index * each}
          y={0}
          width={Math.max(2, each)}
          height={HEIGHT}
        />
      )}
      <path class="tr-bar-zero" stroke="var(--line-strong)" d={`M0 ${paths.zero}H${width}`} />
      <path class="tr-bar-none" fill="var(--faint)" d={paths.none} />
      <path class="tr-bar-nil" fill="var(--muted)" d={paths.nil} />
      <path class="tr-bar-plus" fill="var(--good)" d={paths.plus} />
      <path class="tr-bar-minus" fill="var(--bad)" d={paths.minus} />
      <path class="tr-bar-sum" d={paths.sum} />
    </svg>
  );
}

/** Returns the width of an element, and renders again when it changes. */
export function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useResize(element, ({ clientWidth }) => setWidth(clientWidth));
  return width;
}

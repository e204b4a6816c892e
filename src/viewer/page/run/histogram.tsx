import { useState } from 'preact/hooks';
import type { RunStats } from '../../../../generated/trace.ts';
import { formatCount, plural, sum } from '../../../core/index.ts';
import { changeQuery } from '../api/location.ts';
import { Button } from '../parts/buttons.tsx';
import { formatReward, formatShortCount } from '../parts/rewards.ts';
import { binsToRange, rangeToBins } from './bins.ts';
import type { TraceFilters } from './filters.ts';

type BinRange = readonly [first: number, last: number];

interface Props {
  readonly stats: RunStats;
  readonly filters: TraceFilters;
}

/** Histogram of rewards; a range that is dragged, or set with the arrow keys, filters the traces. */
export function RewardHistogram({ stats, filters }: Props) {
  const { edges } = stats;
  const [dragged, setDragged] = useState<BinRange>();
  const touched = dragged ?? rangeToBins(edges, { min: filters.reward_min, max: filters.reward_max });
  const bins: BinRange | undefined = touched && [Math.min(...touched), Math.max(...touched)];
  const ofStep = stats.steps.find(({ step }) => step !== null && step === filters.step)?.histogram;
  return (
    <section class="card stack run-chart" aria-labelledby="run-histogram">
      <h2 id="run-histogram">
        Rewards <small>{ofStep ? `of step ${filters.step}, over all traces` : 'of all traces'}</small>
      </h2>
      {edges.length === 0 ? (
        <p class="none">
          No trace has a reward yet: it is the sum of <code>extra.reward</code> over its blocks.
        </p>
      ) : (
        <>
          <Bars stats={stats} ofStep={ofStep} bins={bins} dragged={dragged} setDragged={setDragged} />
          <p class="run-ends" aria-hidden="true">
            <span>{formatReward(edges[0])}</span>
            <span>{formatReward(edges.at(-1))}</span>
          </p>
          <RangeLine stats={stats} filters={filters} bins={bins} />
        </>
      )}
    </section>
  );
}

/** Filters the traces by the rewards of a range of bins. */
function chooseBins(edges: readonly number[], from: number, to: number): void {
  const { min, max } = binsToRange(edges, from, to);
  changeQuery({ reward_min: min, reward_max: max });
}

interface BinsProps extends Pick<Props, 'stats'> {
  readonly bins: BinRange | undefined;
}

interface BarsProps extends BinsProps {
  readonly ofStep: readonly number[] | undefined;
  /** Bins at the beginning and the end of the drag. */
  readonly dragged: BinRange | undefined;
  readonly setDragged: (bins: BinRange | undefined) => void;
}

function Bars({ stats, ofStep, bins, dragged, setDragged }: BarsProps) {
  const size = stats.histogram.length;
  const binAt = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    return Math.max(0, Math.min(size - 1, Math.floor(((event.clientX - left) / width) * size)));
  };
  return (
    <div
      class="run-bars"
      onPointerDown={(event) => {
        if (event.button !== 0 || (event.target as Element).closest('.run-handle')) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged([binAt(event), binAt(event)]);
      }}
      onPointerMove={(event) => dragged && setDragged([dragged[0], binAt(event)])}
      onPointerUp={() => {
        if (dragged) chooseBins(stats.edges, ...dragged);
        setDragged(undefined);
      }}
      onPointerCancel={() => setDragged(undefined)}
    >
      <BarPicture stats={stats} ofStep={ofStep} bins={bins} />
      <BarCounts counts={ofStep ?? stats.histogram} max={Math.max(1, ...stats.histogram)} />
      <BinHandle side="first" stats={stats} bins={bins} />
      <BinHandle side="last" stats={stats} bins={bins} />
    </div>
  );
}

/** Height of the tallest bar in percent; its count is above it. */
const BAR_HEIGHT = 90;

function BarPicture({ stats: { edges, histogram }, ofStep, bins }: Omit<BarsProps, 'dragged' | 'setDragged'>) {
  const max = Math.max(1, ...histogram);
  const height = (value: number) => (value === 0 ? 0 : Math.max(2, (BAR_HEIGHT * value) / max));
  const [first, last] = bins ?? [0, histogram.length - 1];
  const bar = (value: number, bin: number, classes: string) => (
    <rect class={classes} x={bin + 0.06} y={100 - height(value)} width={0.88} height={height(value)} />
  );
  return (
    <svg
      viewBox={`0 0 ${histogram.length} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Histogram of rewards"
    >
      {bins && <rect class="run-brush" fill="var(--accent-soft)" x={first} width={last - first + 1} height={100} />}
      {histogram.map((value, bin) => (
        <g key={bin} class={bin >= first && bin <= last ? 'run-in' : 'run-out'}>
          <title>{`${formatReward(edges[bin])} … ${formatReward(edges[bin + 1])}: ${plural(value, 'trace')}`}</title>
          <rect class="run-hit" fill="transparent" x={bin} width={1} height={100} />
          {bar(value, bin, ofStep ? 'run-bar run-behind' : 'run-bar')}
          {ofStep && bar(ofStep[bin] ?? 0, bin, 'run-bar')}
        </g>
      ))}
    </svg>
  );
}

/** Number of traces above each bar. */
const BarCounts = ({ counts, max }: { readonly counts: readonly number[]; readonly max: number }) => (
  <div class="run-counts" aria-hidden="true">
    {counts.map((count, bin) => (
      <span
        key={bin}
        style={{
          left: `${(100 * (bin + 0.5)) / counts.length}%`,
          bottom: `${(BAR_HEIGHT * count) / max}%`,
        }}
      >
        {count > 0 && formatShortCount(count)}
      </span>
    ))}
  </div>
);

function RangeLine({ stats: { histogram }, filters, bins }: Props & BinsProps) {
  const bound = (name: 'reward_min' | 'reward_max', label: string) => (
    <input
      type="number"
      step="any"
      aria-label={`${label} reward`}
      placeholder={label}
      value={filters[name] === undefined ? '' : Number(filters[name].toPrecision(6))}
      onChange={(event) => changeQuery({ [name]: event.currentTarget.value || undefined })}
    />
  );
  return (
    <p class="run-said row">
      {bound('reward_min', 'least')}
      {bound('reward_max', 'greatest')}
      {bins ? (
        <>
          <span>{formatCount(sum(histogram.slice(bins[0], bins[1] + 1)))} in these bars</span>
          <Button onClick={() => changeQuery({ reward_min: undefined, reward_max: undefined })}>All rewards</Button>
        </>
      ) : (
        <span>Drag over the bars to filter the traces.</span>
      )}
    </p>
  );
}

/** Keyboard handle for one end of the range: arrows move it by a bin, Home and End to the ends. */
function BinHandle({ side, stats: { edges }, bins }: BinsProps & { readonly side: 'first' | 'last' }) {
  const end = edges.length - 2;
  const [first, last] = bins ?? [0, end];
  const isFirst = side === 'first';
  const bin = isFirst ? first : last;
  const onKeyDown = (event: KeyboardEvent) => {
    const target = {
      ArrowLeft: bin - 1,
      ArrowDown: bin - 1,
      ArrowRight: bin + 1,
      ArrowUp: bin + 1,
      Home: isFirst ? 0 : first,
      End: isFirst ? last : end,
    }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = Math.max(0, Math.min(end, target));
    if (isFirst) chooseBins(edges, Math.min(next, last), last);
    else chooseBins(edges, first, Math.max(next, first));
  };
  const edge = isFirst ? bin : bin + 1;
  return (
    <div
      class="run-handle"
      style={{ left: `${(100 * edge) / (end + 1)}%` }}
      role="slider"
      tabIndex={0}
      aria-label={isFirst ? 'Least reward' : 'Greatest reward'}
      aria-valuemin={edges[0]}
      aria-valuemax={edges.at(-1)}
      aria-valuenow={edges[edge]}
      aria-valuetext={formatReward(edges[edge])}
      onKeyDown={onKeyDown}
    />
  );
}

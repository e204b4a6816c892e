import { useState } from 'preact/hooks';
import type { RunStats } from '../../../../generated/trace.ts';
import { formatCount, plural, sum } from '../../../core/index.ts';
import type { UrlQuery } from '../api/location.ts';
import { formatReward } from '../parts/rewards.ts';
import { binsToRange, type RewardRange, rangeToBins } from './bins.ts';
import type { TraceFilters } from './filters.ts';

interface Props {
  readonly stats: RunStats;
  readonly filters: TraceFilters;
  readonly onChange: (changes: UrlQuery) => void;
}

/** Histogram of rewards; a range that is dragged, or set with the arrow keys, filters the traces. */
export function RewardHistogram({ stats, filters, onChange }: Props) {
  const { edges } = stats;
  const [dragged, setDragged] = useState<readonly [number, number]>();
  const range: RewardRange = { min: filters.reward_min, max: filters.reward_max };
  const bins = dragged ?? rangeToBins(edges, range);
  const choose = (from: number, to: number) => {
    const { min, max } = binsToRange(edges, from, to);
    onChange({ reward_min: min, reward_max: max });
  };
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
          <Bars stats={stats} ofStep={ofStep} bins={bins} choose={choose} dragged={dragged} setDragged={setDragged} />
          <p class="run-ends" aria-hidden="true">
            <span>{formatReward(edges[0])}</span>
            <span>{formatReward(edges.at(-1))}</span>
          </p>
          <RangeLine stats={stats} range={range} bins={bins} onChange={onChange} />
        </>
      )}
    </section>
  );
}

interface BarsProps {
  readonly stats: RunStats;
  readonly ofStep: readonly number[] | undefined;
  readonly bins: readonly [number, number] | undefined;
  readonly dragged: readonly [number, number] | undefined;
  readonly setDragged: (bins: readonly [number, number] | undefined) => void;
  readonly choose: (from: number, to: number) => void;
}

function Bars({ stats: { edges, histogram }, ofStep, bins, dragged, setDragged, choose }: BarsProps) {
  const size = histogram.length;
  const at = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    return Math.max(0, Math.min(size - 1, Math.floor(((event.clientX - left) / width) * size)));
  };
  const end = () => {
    if (dragged) choose(...dragged);
    setDragged(undefined);
  };
  return (
    <div
      class="run-bars"
      onPointerDown={(event) => {
        if (event.button !== 0 || (event.target as Element).closest('.run-handle')) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged([at(event), at(event)]);
      }}
      onPointerMove={(event) => dragged && setDragged([dragged[0], at(event)])}
      onPointerUp={end}
      onPointerCancel={() => setDragged(undefined)}
    >
      <BarPicture edges={edges} histogram={histogram} ofStep={ofStep} bins={bins} />
      <BinHandle side="from" edges={edges} bins={bins} choose={choose} />
      <BinHandle side="to" edges={edges} bins={bins} choose={choose} />
    </div>
  );
}

type PictureProps = Pick<RunStats, 'edges' | 'histogram'> & Pick<BarsProps, 'ofStep' | 'bins'>;

function BarPicture({ edges, histogram, ofStep, bins }: PictureProps) {
  const max = Math.max(1, ...histogram);
  const height = (value: number) => (value === 0 ? 0 : Math.max(2, (100 * value) / max));
  const [from, to] = bins ? [Math.min(...bins), Math.max(...bins)] : [0, histogram.length - 1];
  const bar = (value: number, place: number, name: string) => (
    <rect class={name} x={place + 0.06} y={100 - height(value)} width={0.88} height={height(value)} />
  );
  return (
    <svg
      viewBox={`0 0 ${histogram.length} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label="Histogram of rewards"
    >
      {bins && <rect class="run-brush" x={from} y={0} width={to - from + 1} height={100} />}
      {histogram.map((value, place) => {
        const isIn = place >= from && place <= to;
        return (
          <g key={place} class={isIn ? 'run-in' : 'run-out'}>
            <title>{`${formatReward(edges[place])} … ${formatReward(edges[place + 1])}: ${plural(value, 'trace')}`}</title>
            <rect class="run-hit" x={place} y={0} width={1} height={100} />
            {bar(value, place, ofStep ? 'run-bar run-behind' : 'run-bar')}
            {ofStep && bar(ofStep[place] ?? 0, place, 'run-bar')}
          </g>
        );
      })}
    </svg>
  );
}

interface RangeProps extends Pick<Props, 'stats' | 'onChange'> {
  readonly range: RewardRange;
  readonly bins: readonly [number, number] | undefined;
}

function RangeLine({ stats: { histogram }, range, bins, onChange }: RangeProps) {
  const bound = (name: string, label: string, value: number | undefined) => (
    <input
      type="number"
      step="any"
      aria-label={`${label} reward`}
      placeholder={label}
      value={value === undefined ? '' : Number(value.toPrecision(6))}
      onChange={(event) => onChange({ [name]: event.currentTarget.value || undefined })}
    />
  );
  const inBins = bins && sum(histogram.slice(Math.min(...bins), Math.max(...bins) + 1));
  return (
    <p class="run-said row">
      {bound('reward_min', 'least', range.min)}
      {bound('reward_max', 'greatest', range.max)}
      {bins ? (
        <>
          <span>{formatCount(inBins ?? 0)} in these bars</span>
          <button type="button" onClick={() => onChange({ reward_min: undefined, reward_max: undefined })}>
            All rewards
          </button>
        </>
      ) : (
        <span>Drag over the bars to filter the traces.</span>
      )}
    </p>
  );
}

interface BinHandleProps {
  readonly side: 'from' | 'to';
  readonly edges: readonly number[];
  readonly bins: readonly [number, number] | undefined;
  readonly choose: (from: number, to: number) => void;
}

/** Keyboard handle for one end of the range: arrows move it by a bin, Home and End to the ends. */
export function BinHandle({ side, edges, bins, choose }: BinHandleProps) {
  const last = edges.length - 2;
  const [from, to] = bins ? [Math.min(...bins), Math.max(...bins)] : [0, last];
  const isFrom = side === 'from';
  const place = isFrom ? from : to;
  const move = (next: number) => {
    if (isFrom) choose(Math.min(next, to), to);
    else choose(from, Math.max(next, from));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: place - 1, ArrowDown: place - 1, ArrowRight: place + 1, ArrowUp: place + 1 }[event.key];
    const end = { Home: isFrom ? 0 : from, End: isFrom ? to : last }[event.key];
    const target = next ?? end;
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    move(Math.max(0, Math.min(last, target)));
  };
  const edge = isFrom ? place : place + 1;
  return (
    <div
      class="run-handle"
      style={{ left: `${(100 * edge) / (last + 1)}%` }}
      role="slider"
      tabIndex={0}
      aria-label={isFrom ? 'Least reward' : 'Greatest reward'}
      aria-valuemin={edges[0]}
      aria-valuemax={edges.at(-1)}
      aria-valuenow={edges[edge]}
      aria-valuetext={formatReward(edges[edge])}
      onKeyDown={onKeyDown}
    />
  );
}

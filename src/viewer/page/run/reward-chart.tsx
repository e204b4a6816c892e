import { useEffect, useRef, useState } from 'preact/hooks';
import type { StepStats } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import { changeQuery, useQuery, withQuery } from '../api/location.ts';
import { Select } from '../parts/buttons.tsx';
import { type Column, Table } from '../parts/list.tsx';
import { formatDecimal, rewardStandardError } from '../parts/rewards.ts';
import { REWARD_BANDS, type RewardBand } from './bins.ts';
import { createRewardPlot, type NumberedStep, type RewardPlot } from './draw-rewards.ts';

interface Props {
  readonly steps: readonly StepStats[];
  readonly chosen: number | undefined;
}

/** Shows rewards by training step: as a line chart with a band, and as a table. */
export function RewardSteps({ steps, chosen }: Props) {
  const numbered = steps.filter(isNumbered);
  const band = BANDS.find((name) => name === useQuery().get('band')) ?? 'error';
  return (
    <section class="card stack run-chart" aria-labelledby="run-steps">
      <h2 id="run-steps">
        Reward by step <small>mean, and {REWARD_BANDS[band]}</small>
      </h2>
      <Select
        label="band"
        value={band}
        options={Object.entries(REWARD_BANDS)}
        onChoose={(name) => changeQuery({ band: name === 'error' ? undefined : name })}
      />
      {numbered.length > 1 ? (
        <RewardChart steps={numbered} chosen={chosen} band={band} />
      ) : (
        <p class="none">
          {numbered.length === 0
            ? 'The traces of this run have no step. Log them with a step to see how rewards change.'
            : `All traces are of step ${numbered[0]?.step}; a chart needs two steps.`}
        </p>
      )}
      {steps.length > 0 && (
        <details>
          <summary>As a table</summary>
          <StepTable steps={steps} chosen={chosen} />
        </details>
      )}
    </section>
  );
}

function StepTable({ steps, chosen }: Props) {
  const link = (step: number) => <a href={withQuery({ step: step === chosen ? undefined : step })}>{step}</a>;
  const columns: readonly Column<StepStats>[] = [
    { label: 'Step', class: 'number', cell: ({ step }) => (step === null ? 'none' : link(step)) },
    ...STATISTICS,
  ];
  return (
    <section class="run-steps" aria-label={`Rewards of ${plural(steps.length, 'step')}`}>
      <Table
        columns={columns}
        rows={steps}
        keyOf={({ step }) => String(step)}
        attributesOf={({ step }) => (step !== null && step === chosen ? { 'aria-current': 'true' } : {})}
      />
    </section>
  );
}

const STATISTICS: readonly Column<StepStats>[] = [
  { label: 'Traces', class: 'number', cell: ({ trace_count }) => formatCount(trace_count) },
  { label: 'Mean', class: 'number', cell: ({ reward }) => formatDecimal(reward.mean) },
  { label: '± error', class: 'number', cell: ({ reward }) => formatDecimal(rewardStandardError(reward)) },
  { label: 'Std', class: 'number', cell: ({ reward }) => formatDecimal(reward.std) },
  { label: 'Min', class: 'number', cell: ({ reward }) => formatDecimal(reward.min) },
  { label: 'Max', class: 'number', cell: ({ reward }) => formatDecimal(reward.max) },
];

const BANDS = Object.keys(REWARD_BANDS) as readonly RewardBand[];

interface RewardChartProps extends Props {
  readonly steps: readonly NumberedStep[];
  readonly band: RewardBand;
}

/** Mean reward by step with its band; a click on a step selects it or clears the selection. */
function RewardChart({ steps, chosen, band }: RewardChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [plot, setPlot] = useState<RewardPlot>();
  const [pointed, setPointed] = useState<number>();
  const current = useRef({ steps, chosen });
  current.current = { steps, chosen };

  useEffect(() => {
    let isUnmounted = false;
    let created: RewardPlot | undefined;
    const choose = (index: number) => {
      const step = current.current.steps[index]?.step;
      changeQuery({ step: step === current.current.chosen ? undefined : step });
    };
    import('uplot').then(({ default: Plot }) => {
      if (isUnmounted || !box.current) return;
      created = createRewardPlot(Plot, box.current, { onPoint: setPointed, onChoose: choose });
      setPlot(created);
    });
    return () => {
      isUnmounted = true;
      created?.destroy();
    };
  }, []);
  useEffect(() => plot?.show(steps, chosen, band), [plot, steps, chosen, band]);

  const [first, last] = [steps[0], steps.at(-1)];
  return (
    <>
      <div
        class="run-plot"
        ref={box}
        role="img"
        aria-label={`Mean reward by step: ${formatDecimal(first?.reward.mean)} at step ${first?.step}, ${formatDecimal(last?.reward.mean)} at step ${last?.step}`}
      />
      <p class="run-said">{describeStep(steps[pointed ?? -1] ?? steps.find(({ step }) => step === chosen))}</p>
    </>
  );
}

function describeStep(stats: NumberedStep | undefined): string {
  if (!stats) return 'Click a step to show only its traces.';
  const { step, reward, trace_count } = stats;
  return `Step ${step}: mean ${formatDecimal(reward.mean)}, std ${formatDecimal(reward.std)}, ${formatCount(trace_count)} traces`;
}

const isNumbered = (stats: StepStats): stats is NumberedStep => stats.step !== null;

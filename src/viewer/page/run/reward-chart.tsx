import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount } from '../../../core/index.ts';
import { formatDecimal } from '../parts/amounts.ts';
import { createRewardPlot, type RewardPlot } from './draw-rewards.ts';
import type { NumberedStep } from './numbered-step.ts';

interface Props {
  readonly steps: readonly NumberedStep[];
  readonly chosen: number | undefined;
  readonly onChoose: (step: number | undefined) => void;
}

/** The mean over the steps with its band; a click on a step chooses it, or takes that back. */
export function RewardChart({ steps, chosen, onChoose }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [drawn, setDrawn] = useState<RewardPlot>();
  const [under, setUnder] = useState<number>();
  const current = useRef({ steps, chosen, onChoose });
  current.current = { steps, chosen, onChoose };

  useEffect(() => {
    let isGone = false;
    let made: RewardPlot | undefined;
    const choose = (place: number) => {
      const step = current.current.steps[place]?.step;
      current.current.onChoose(step === current.current.chosen ? undefined : step);
    };
    import('uplot').then(({ default: Plot }) => {
      if (isGone || !box.current) return;
      made = createRewardPlot(Plot, box.current, { onPoint: setUnder, onChoose: choose });
      setDrawn(made);
    });
    return () => {
      isGone = true;
      made?.destroy();
    };
  }, []);
  useEffect(() => drawn?.show(steps, chosen), [drawn, steps, chosen]);

  const [first, last] = [steps[0], steps.at(-1)];
  return (
    <>
      <div
        class="run-plot"
        ref={box}
        role="img"
        aria-label={`Mean reward by step: ${formatDecimal(first?.reward.mean)} at step ${first?.step}, ${formatDecimal(last?.reward.mean)} at step ${last?.step}`}
      />
      <p class="run-said">{said(steps[under ?? -1] ?? steps.find(({ step }) => step === chosen))}</p>
    </>
  );
}

function said(stats: NumberedStep | undefined): string {
  if (!stats) return 'Click a step to see its traces alone.';
  const { step, reward, trace_count } = stats;
  return `Step ${step}: mean ${formatDecimal(reward.mean)}, std ${formatDecimal(reward.std)}, ${formatCount(trace_count)} traces`;
}

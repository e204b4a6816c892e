import type { StepStats } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import { formatDecimal } from '../parts/amounts.ts';
import { standardErrorOf } from '../parts/rewards.ts';
import { withQuery } from '../shell/location.ts';
import { isNumbered } from './numbered-step.ts';
import { RewardChart } from './reward-chart.tsx';

interface Props {
  readonly steps: readonly StepStats[];
  readonly chosen: number | undefined;
  /** undefined takes the choice back. */
  readonly onChoose: (step: number | undefined) => void;
}

/** Rewards by training step: as a line with a band, and as a table. */
export function RewardSteps({ steps, chosen, onChoose }: Props) {
  const numbered = steps.filter(isNumbered);
  return (
    <section class="card run-chart" aria-labelledby="run-steps">
      <h2 id="run-steps">
        Reward by step <small>mean, ± one standard deviation</small>
      </h2>
      {numbered.length > 1 ? (
        <RewardChart steps={numbered} chosen={chosen} onChoose={onChoose} />
      ) : (
        <p class="none">
          {numbered.length === 0
            ? 'The traces of this run have no step: log them with one to see how rewards change.'
            : `All traces are of step ${numbered[0]?.step}; with the next step there is a line.`}
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

function StepTable({ steps, chosen }: Pick<Props, 'steps' | 'chosen'>) {
  return (
    <section class="scroll-x run-steps" aria-label={`Rewards of ${plural(steps.length, 'step')}`}>
      <table>
        <thead>
          <tr>
            <th class="number">Step</th>
            <th class="number">Traces</th>
            <th class="number">Mean</th>
            <th class="number">± error</th>
            <th class="number">Std</th>
            <th class="number">Min</th>
            <th class="number">Max</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ step, trace_count, reward }) => (
            <tr key={step} aria-current={step !== null && step === chosen ? 'true' : undefined}>
              <td class="number">
                {step === null ? (
                  'none'
                ) : (
                  <a href={step === chosen ? withQuery({ step: undefined }) : withQuery({ step })}>{step}</a>
                )}
              </td>
              <td class="number">{formatCount(trace_count)}</td>
              <td class="number">{formatDecimal(reward.mean)}</td>
              <td class="number">{formatDecimal(standardErrorOf(reward))}</td>
              <td class="number">{formatDecimal(reward.std)}</td>
              <td class="number">{formatDecimal(reward.min)}</td>
              <td class="number">{formatDecimal(reward.max)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

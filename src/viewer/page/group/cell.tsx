import { formatReward as rewardText } from '../parts/amounts.ts';
import { Reward } from '../parts/reward.tsx';
import { VisibleText } from '../payload/shown.tsx';
import { buildHref } from '../shell/location.ts';
import type { AgentStep } from './steps.ts';

interface Props {
  readonly traceId: string;
  readonly step: AgentStep | undefined;
  readonly isLoaded: boolean;
  /** Whether it or the reference has a step here. */
  readonly isAsked: boolean;
  /** From the reference. */
  readonly isDifferent: boolean;
  readonly isFirstDifference: boolean;
}

/** One step of one rollout; it leads to the block in its trace. */
export function Cell({ traceId, step, isLoaded, isAsked, isDifferent, isFirstDifference }: Props) {
  const mark = isFirstDifference ? (
    <b class="group-mark" title="The first difference from the reference">
      ≠ first
    </b>
  ) : isDifferent ? (
    <b class="group-mark">≠</b>
  ) : null;
  const name = `group-cell${isDifferent ? ' group-different' : ''}${isFirstDifference ? ' group-diverges' : ''}`;
  if (!step) {
    return (
      <td class={name}>
        <span class="group-nought">
          {isLoaded ? (isAsked ? 'no step' : '') : '…'} {mark}
        </span>
      </td>
    );
  }
  const { tool, inputText: output, result, reward, isError } = step;
  return (
    <td class={name}>
      <a
        class="group-step"
        href={`${buildHref({ view: 'trace', trace: traceId })}#${step.id}`}
        title={`${tool} ${output}\n${result}${reward === null ? '' : `\nreward ${rewardText(reward)}`}`}
      >
        <span class="group-call">
          <strong>
            <VisibleText text={tool} />
          </strong>{' '}
          <code>
            <VisibleText text={output} />
          </code>
        </span>
        <span class="group-result">
          {isError && <b class="group-error">✗ error</b>}
          <span>
            <VisibleText text={result} />
          </span>
          {mark}
          {reward !== null && <Reward value={reward} />}
        </span>
      </a>
    </td>
  );
}

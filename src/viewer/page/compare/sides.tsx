import type { Trace } from '../../../../generated/trace.ts';
import { formatCount } from '../../../core/index.ts';
import { formatReward } from '../parts/amounts.ts';
import { toTraceTimes } from '../parts/recorded.ts';
import { Reward } from '../parts/reward.tsx';
import { stopReason } from '../parts/rewards.ts';
import { StatusBadge } from '../parts/status.tsx';
import { formatTraceDuration } from '../parts/time.tsx';
import { formatTaskName, shortId } from '../parts/trace-table.tsx';
import { VisibleText } from '../payload/shown.tsx';
import { buildHref } from '../shell/location.ts';
import type { ComparedTrace } from './load-trace.ts';

/** What the two are, and how their numbers differ. */
export function ComparedTraces({ left, right }: { readonly left: ComparedTrace; readonly right: ComparedTrace }) {
  const [one, other] = [left.trace, right.trace];
  const isOneTask = one.task_key === other.task_key && one.environment === other.environment;
  return (
    <>
      <div class="scroll-x">
        <table class="compare-sides">
          <thead>
            <tr>
              <th>Side</th>
              <th>Trace</th>
              <th>Task</th>
              <th>Run</th>
              <th>Model</th>
              <th>Status</th>
              <th class="number">Reward</th>
              <th class="number">Blocks</th>
              <th class="number">Failed calls</th>
              <th class="number">Duration</th>
            </tr>
          </thead>
          <tbody>
            <Row name="Left" trace={one} />
            <Row name="Right" trace={other} />
            <tr class="compare-change">
              <td>Right − left</td>
              <td colSpan={5} />
              <td class="number">{difference(one.reward_sum, other.reward_sum)}</td>
              <td class="number">{difference(one.block_count, other.block_count)}</td>
              <td class="number">{difference(one.error_count, other.error_count)}</td>
              <td />
            </tr>
          </tbody>
        </table>
      </div>
      {!isOneTask && <p class="banner">They are of different tasks.</p>}
    </>
  );
}

function Row({ name, trace }: { readonly name: string; readonly trace: Trace }) {
  const { id, run, model, status, reward_sum, block_count, error_count } = trace;
  const stop = stopReason(trace);
  return (
    <tr>
      <td>{name}</td>
      <td class="name">
        <a href={buildHref({ view: 'trace', trace: id })} title={id}>
          <VisibleText text={trace.name ?? shortId(id)} />
        </a>
      </td>
      <td>
        <VisibleText text={`${formatTaskName(trace)}${trace.step === null ? '' : `, step ${trace.step}`}`} />
      </td>
      <td>
        {run === null ? (
          '–'
        ) : (
          <a href={buildHref({ view: 'run', run })}>
            <VisibleText text={run} />
          </a>
        )}
      </td>
      <td>
        <VisibleText text={model ?? '–'} />
      </td>
      <td>
        <StatusBadge status={status} />{' '}
        {stop !== undefined && stop !== status && (
          <small>
            <VisibleText text={stop} />
          </small>
        )}
      </td>
      <td class="number">
        <Reward value={reward_sum} />
      </td>
      <td class="number">{formatCount(block_count)}</td>
      <td class="number">{formatCount(error_count)}</td>
      <td class="number">{formatTraceDuration(toTraceTimes(trace))}</td>
    </tr>
  );
}

function difference(one: number | null, other: number | null): string {
  if (one === null || other === null) return '–';
  // 0.1 + 0.2 − 0.3 is no difference that anybody means.
  const value = Number((other - one).toPrecision(12));
  return value > 0 ? `+${formatReward(value)}` : formatReward(value);
}

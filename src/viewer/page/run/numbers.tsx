import type { ComponentChildren } from 'preact';
import type { Run } from '../../../../generated/trace.ts';
import { formatBytes, formatCount, plural } from '../../../core/index.ts';
import { formatDecimal } from '../parts/amounts.ts';
import { standardErrorOf } from '../parts/rewards.ts';
import { formatStatusCounts } from '../parts/status.tsx';
import { RelativeTime } from '../parts/time.tsx';

/** What a run comes to. */
export function RunSummary({ run }: { readonly run: Run }) {
  const { reward, trace_count, status, error_count, block_count } = run;
  const error = standardErrorOf(reward);
  return (
    <dl class="run-numbers">
      <Amount name="Mean reward" value={formatDecimal(reward.mean)}>
        {error === null ? plural(reward.count, 'reward') : `± ${formatDecimal(error)} standard error`}
      </Amount>
      <Amount name="Deviation" value={formatDecimal(reward.std)}>
        {reward.count === 0 ? 'no rewards' : `from ${formatDecimal(reward.min)} to ${formatDecimal(reward.max)}`}
      </Amount>
      <Amount name="Traces" value={formatCount(trace_count)}>
        {formatStatusCounts(status, ['finished', 'running', 'error', 'abandoned'])}
        {reward.count_without > 0 && `; ${formatCount(reward.count_without)} without reward`}
      </Amount>
      <Amount name="With failed calls" value={formatCount(error_count)}>
        {`${((100 * error_count) / Math.max(1, trace_count)).toFixed(1)} % of the traces`}
      </Amount>
      <Amount name="Blocks" value={formatCount(block_count)}>
        {`${(block_count / Math.max(1, trace_count)).toFixed(1)} per trace, ${formatBytes(run.bytes)}`}
      </Amount>
      <Amount name="Changed" value={<RelativeTime at={run.last_updated_at} />}>
        begun <RelativeTime at={run.first_created_at} />
      </Amount>
    </dl>
  );
}

interface AmountProps {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly children: ComponentChildren;
}

const Amount = ({ name, value, children }: AmountProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <strong>{value}</strong>
      <small>{children}</small>
    </dd>
  </div>
);

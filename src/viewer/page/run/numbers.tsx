import type { ComponentChildren } from 'preact';
import type { Run } from '../../../../generated/trace.ts';
import { formatBytes, formatCount, plural } from '../../../core/index.ts';
import { decimal } from '../parts/amounts.ts';
import { standardError } from '../parts/rewards.ts';
import { statesInWords } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';

/** What a run comes to. */
export function Numbers({ run }: { readonly run: Run }) {
  const { reward, trace_count, status, error_count, block_count } = run;
  const error = standardError(reward);
  return (
    <dl class="run-numbers">
      <Amount name="Mean reward" value={decimal(reward.mean)}>
        {error === null ? plural(reward.count, 'reward') : `± ${decimal(error)} standard error`}
      </Amount>
      <Amount name="Deviation" value={decimal(reward.std)}>
        {reward.count === 0 ? 'no rewards' : `from ${decimal(reward.min)} to ${decimal(reward.max)}`}
      </Amount>
      <Amount name="Traces" value={formatCount(trace_count)}>
        {statesInWords(status, ['finished', 'running', 'error', 'abandoned'])}
        {reward.count_without > 0 && `; ${formatCount(reward.count_without)} without reward`}
      </Amount>
      <Amount name="With failed calls" value={formatCount(error_count)}>
        {`${((100 * error_count) / Math.max(1, trace_count)).toFixed(1)} % of the traces`}
      </Amount>
      <Amount name="Blocks" value={formatCount(block_count)}>
        {`${(block_count / Math.max(1, trace_count)).toFixed(1)} per trace, ${formatBytes(run.bytes)}`}
      </Amount>
      <Amount name="Changed" value={<Time at={run.last_updated_at} />}>
        begun <Time at={run.first_created_at} />
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

import { formatCount, plural } from '../../../core/index.ts';
import { formatSigned } from '../parts/amounts.ts';
import { toTraceTimes } from '../parts/recorded.ts';
import { Reward } from '../parts/reward.tsx';
import { stopReason } from '../parts/rewards.ts';
import { StatusBadge } from '../parts/status.tsx';
import { formatTraceDuration } from '../parts/time.tsx';
import { shortId } from '../parts/trace-table.tsx';
import { VisibleText } from '../payload/shown.tsx';
import { buildHref, withQuery } from '../shell/location.ts';
import type { GroupView } from './load-group.ts';
import { MAX_STEPS, type TraceSteps } from './load-steps.ts';

interface Props {
  readonly member: GroupView['members'][number];
  readonly column: number;
  readonly steps: TraceSteps | undefined;
  /** Id of the trace that the others are held against. */
  readonly reference: string;
  readonly firstDifference: number | undefined;
  readonly isReady: boolean;
}

/** What one rollout came to. */
export function ColumnHead({ member, column, steps, reference, firstDifference, isReady }: Props) {
  const { trace, trace_id, reward, advantage, status, rollout_index } = member;
  const stop = stopReason(trace);
  const isReference = trace_id === reference;
  return (
    <th class={isReference ? 'group-head group-reference' : 'group-head'} aria-colindex={column + 2} scope="col">
      <a href={buildHref({ view: 'trace', trace: trace_id })} title={trace_id}>
        <VisibleText text={trace.name ?? (rollout_index === null ? shortId(trace_id) : `rollout ${rollout_index}`)} />
      </a>
      <dl>
        <dt>reward</dt>
        <dd>
          <Reward value={reward} />
        </dd>
        <dt>advantage</dt>
        <dd>{advantage === null ? '–' : formatSigned(advantage)}</dd>
        <dt>length</dt>
        <dd title={plural(trace.block_count, 'block')}>
          {steps ? `${plural(steps.steps.length, 'step')}${steps.isTruncated ? ' shown' : ''}` : '…'}
          {steps?.isTruncated && (
            <small title={`Steps after the first ${formatCount(MAX_STEPS)} are not shown`}> of more</small>
          )}
        </dd>
        <dt>{stop === undefined ? 'status' : 'stop'}</dt>
        <dd>
          {stop === undefined || status === 'error' ? <StatusBadge status={status} /> : <VisibleText text={stop} />}
        </dd>
        <dt>took</dt>
        <dd>{formatTraceDuration(toTraceTimes(trace))}</dd>
      </dl>
      <Against {...{ isReference, isReady, reference, firstDifference }} traceId={trace_id} />
    </th>
  );
}

interface AgainstProps extends Pick<Props, 'reference' | 'firstDifference' | 'isReady'> {
  readonly isReference: boolean;
  readonly traceId: string;
}

function Against({ isReference, isReady, reference, firstDifference, traceId }: AgainstProps) {
  if (isReference) return <p class="group-against">the reference</p>;
  return (
    <p class="group-against">
      <span>{!isReady ? '…' : firstDifference === undefined ? 'all steps equal' : `≠ row ${firstDifference + 1}`}</span>
      <a href={buildHref({ view: 'compare', traces: `${reference},${traceId}` })}>compare</a>
      <a href={withQuery({ reference: traceId })} title="Hold the others against this one">
        as reference
      </a>
    </p>
  );
}

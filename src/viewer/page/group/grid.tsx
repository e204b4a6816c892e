import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount, plural } from '../../../core/index.ts';
import { buildHref, changeQuery, withQuery } from '../api/location.ts';
import type { Alignment } from '../parts/align.ts';
import { formatTraceDuration, Reward, StatusBadge } from '../parts/badges.tsx';
import { QuietButton } from '../parts/buttons.tsx';
import { formatReward, formatSigned, stopReason } from '../parts/rewards.ts';
import { readGroupReward, toTraceTimes } from '../parts/trace-info.ts';
import { TraceLink } from '../parts/trace-links.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { type GroupView, MAX_STEPS, type TraceSteps } from './load-group.ts';
import { visibleRange } from './steps.ts';

const ROW_PX = 58;
const COLUMN_PX = 228;
const FIRST_COLUMN_PX = 44;
/** Number of rows and columns to render outside of the viewport. */
const OVERSCAN = 4;

interface Props {
  readonly members: GroupView['members'];
  readonly steps: ReadonlyMap<string, TraceSteps>;
  readonly alignment: Alignment;
  readonly reference: number;
  readonly isFolded: boolean;
  readonly isReady: boolean;
}

/** Table that renders only the visible cells of up to 256 columns and 1,000 rows. */
export function Grid(props: Props) {
  const { members, alignment, isFolded, isReady } = props;
  const box = useRef<HTMLElement>(null);
  const view = useViewport(box);
  const folded = isFolded && isReady && members.length > 1 ? alignment.commonCount : 0;
  const rows = [...alignment.rows.keys()].slice(folded);
  const top = Math.max(0, view.top - (folded > 0 ? ROW_PX : 0));
  const { length: count } = members;
  const shownRows = visibleRange({ at: top, size: view.height, each: ROW_PX, count: rows.length, overscan: OVERSCAN });
  const shownColumns = visibleRange({ at: view.left, size: view.width, each: COLUMN_PX, count, overscan: 1 });
  const columns = members.map((member, column) => ({ member, column })).slice(shownColumns.from, shownColumns.to);
  const spacer = (width: number) => width > 0 && <td class="group-spacer" aria-hidden="true" colSpan={width} />;
  return (
    <section
      class="raised group-box"
      ref={box}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard
      tabIndex={0}
      aria-label={`${plural(members.length, 'rollout')} side by side`}
    >
      <table
        class="group-grid"
        style={{ width: `${FIRST_COLUMN_PX + members.length * COLUMN_PX}px` }}
        aria-rowcount={alignment.rows.length + 1}
        aria-colcount={members.length + 1}
      >
        <colgroup>
          <col style={{ width: `${FIRST_COLUMN_PX}px` }} />
          {members.map(({ trace_id }) => (
            <col key={trace_id} style={{ width: `${COLUMN_PX}px` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th class="group-corner">Row</th>
            {spacer(shownColumns.from)}
            {columns.map(({ member, column }) => (
              <ColumnHead key={member.trace_id} {...props} member={member} column={column} />
            ))}
            {spacer(members.length - shownColumns.to)}
          </tr>
        </thead>
        <tbody>
          {folded > 0 && <FoldedRow folded={folded} columns={members.length} />}
          {shownRows.from > 0 && <RowSpacer rows={shownRows.from} />}
          {rows.slice(shownRows.from, shownRows.to).map((row) => (
            <tr key={row} aria-rowindex={row + 2} style={{ height: `${ROW_PX}px` }}>
              <th class="group-first">{formatCount(row + 1)}</th>
              {spacer(shownColumns.from)}
              {columns.map(({ member, column }) => (
                <StepCell key={member.trace_id} {...props} member={member} column={column} row={row} />
              ))}
              {spacer(members.length - shownColumns.to)}
            </tr>
          ))}
          {shownRows.to < rows.length && <RowSpacer rows={rows.length - shownRows.to} />}
        </tbody>
      </table>
    </section>
  );
}

/** Placeholder for rows outside of the viewport. */
const RowSpacer = ({ rows }: { readonly rows: number }) => <tr style={{ height: `${rows * ROW_PX}px` }} />;

function FoldedRow({ folded, columns }: { readonly folded: number; readonly columns: number }) {
  return (
    <tr class="group-folded" style={{ height: `${ROW_PX}px` }}>
      <th class="group-first">…</th>
      <td colSpan={columns}>
        <QuietButton aria-expanded={false} onClick={() => changeQuery({ prefix: 'open' })}>
          {`▸ ${plural(folded, 'step')} in common`}
        </QuietButton>
      </td>
    </tr>
  );
}

interface ColumnProps extends Props {
  readonly member: GroupView['members'][number];
  readonly column: number;
}

/** Shows the numbers of one rollout. */
function ColumnHead(props: ColumnProps) {
  const { trace, trace_id, reward, advantage, status, rollout_index } = props.member;
  const steps = props.steps.get(trace_id);
  const isReference = props.column === props.reference;
  const stop = stopReason(trace);
  const groupReward = readGroupReward(trace);
  return (
    <th class={isReference ? 'group-head group-reference' : 'group-head'} aria-colindex={props.column + 2} scope="col">
      <TraceLink id={trace_id} name={trace.name ?? (rollout_index === null ? null : `rollout ${rollout_index}`)} />
      <dl>
        <dt>reward</dt>
        <dd>
          <Reward value={reward} />
        </dd>
        {groupReward !== undefined && (
          <>
            <dt>in group</dt>
            <dd>
              <Reward value={groupReward} />
            </dd>
          </>
        )}
        <dt>advantage</dt>
        <dd>{advantage === null ? '–' : formatSigned(advantage)}</dd>
        <dt>length</dt>
        <dd title={plural(trace.block_count, 'block')}>
          {steps ? `${plural(steps.steps.length, 'step')}${steps.isTruncated ? ' shown' : ''}` : '…'}
          {steps?.isTruncated && (
            <small title={`Steps after the first ${formatCount(MAX_STEPS)} are not shown`}> of several more</small>
          )}
        </dd>
        <dt>{stop === undefined ? 'status' : 'stop'}</dt>
        <dd>
          {stop === undefined || status === 'error' ? <StatusBadge status={status} /> : <VisibleText text={stop} />}
        </dd>
        <dt>took</dt>
        <dd>{formatTraceDuration(toTraceTimes(trace))}</dd>
      </dl>
      {isReference ? <p class="group-against">the reference</p> : <ReferenceLine {...props} />}
    </th>
  );
}

function ReferenceLine({ members, member, column, alignment, reference, isReady }: ColumnProps) {
  const first = alignment.firstDifferences[column];
  const traces = `${members[reference]?.trace_id ?? ''},${member.trace_id}`;
  return (
    <p class="group-against">
      <span>{!isReady ? '…' : first === undefined ? 'all steps equal' : `≠ row ${first + 1}`}</span>
      <a href={buildHref({ view: 'compare', traces })}>compare</a>
      <a href={withQuery({ reference: member.trace_id })} title="Compare the others with this one">
        as reference
      </a>
    </p>
  );
}

/** Shows one step of one rollout, compared with the reference, as a link to its block. */
function StepCell(props: ColumnProps & { readonly row: number }) {
  const { members, member, steps, alignment, reference, isReady, row, column } = props;
  const stepAt = (index: number) =>
    steps.get(members[index]?.trace_id ?? '')?.steps[alignment.rows[row]?.[index] ?? -1];
  const [step, expected] = [stepAt(column), stepAt(reference)];
  const isDifferent = column !== reference && step?.key !== expected?.key;
  const isFirstDifference = isReady && alignment.firstDifferences[column] === row;
  const mark = isFirstDifference ? (
    <b class="group-mark" title="The first difference from the reference">
      ≠ first
    </b>
  ) : isDifferent ? (
    <b class="group-mark">≠</b>
  ) : null;
  const classes = `group-cell${isDifferent ? ' group-different' : ''}${isFirstDifference ? ' group-diverges' : ''}`;
  if (!step) {
    return (
      <td class={classes}>
        <span class="muted group-nought">
          {steps.has(member.trace_id) ? (expected ? 'no step' : '') : '…'} {mark}
        </span>
      </td>
    );
  }
  const { id, tool, inputText, result, reward, isError } = step;
  return (
    <td class={classes}>
      <a
        class="group-step"
        href={`${buildHref({ view: 'trace', trace: member.trace_id })}#${id}`}
        title={`${tool} ${inputText}\n${result}${reward === null ? '' : `\nreward ${formatReward(reward)}`}`}
      >
        <span class="group-call">
          <strong>
            <VisibleText text={tool} />
          </strong>{' '}
          <code>
            <VisibleText text={inputText} />
          </code>
        </span>
        <span class="muted group-result">
          {isError && <b class="failed">✗ error</b>}
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

/** Returns the scroll position and size of an element, updated at most once per frame. */
function useViewport(box: RefObject<HTMLElement | null>) {
  const [view, setView] = useState({ top: 0, left: 0, width: innerWidth, height: innerHeight });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let frame = 0;
    const read = () => {
      frame = 0;
      const { scrollTop, scrollLeft, clientWidth, clientHeight } = element;
      setView({ top: scrollTop, left: scrollLeft, width: clientWidth, height: clientHeight });
    };
    const later = () => {
      frame ||= requestAnimationFrame(read);
    };
    const size = new ResizeObserver(later);
    size.observe(element);
    element.addEventListener('scroll', later, { passive: true });
    return () => {
      size.disconnect();
      cancelAnimationFrame(frame);
      element.removeEventListener('scroll', later);
    };
  }, []);
  return view;
}

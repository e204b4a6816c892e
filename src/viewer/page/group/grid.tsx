import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatCount, plural } from '../../../core/index.ts';
import { buildHref, navigate, withQuery } from '../api/location.ts';
import type { Alignment } from '../parts/align.ts';
import { formatTraceDuration, Reward, StatusBadge } from '../parts/badges.tsx';
import { formatReward, formatSigned, stopReason } from '../parts/rewards.ts';
import { toTraceTimes } from '../parts/trace-info.ts';
import { shortId } from '../parts/trace-table.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { type GroupView, MAX_STEPS, type TraceSteps } from './load-group.ts';
import { type AgentStep, visibleRange } from './steps.ts';

const ROW = 58;
const COLUMN = 228;
const FIRST = 44;
/** Number of rows and columns to render outside of the viewport. */
const SPARE = 4;

interface Props {
  readonly members: GroupView['members'];
  readonly steps: ReadonlyMap<string, TraceSteps>;
  readonly alignment: Alignment;
  readonly reference: number;
  readonly isFolded: boolean;
  readonly isReady: boolean;
}

/** Table that renders only the visible cells of up to 256 columns and 1,000 rows. */
export function Grid({ members, steps, alignment, reference, isFolded, isReady }: Props) {
  const box = useRef<HTMLElement>(null);
  const view = useViewport(box);
  const folded = isFolded && isReady && members.length > 1 ? alignment.commonCount : 0;
  const rows = [...alignment.rows.keys()].slice(folded);
  const top = Math.max(0, view.top - (folded > 0 ? ROW : 0));
  const visibleRows = visibleRange({ at: top, size: view.height, each: ROW, count: rows.length, spare: SPARE });
  const visibleColumns = visibleRange({
    at: view.left,
    size: view.width,
    each: COLUMN,
    count: members.length,
    spare: 1,
  });
  const columns = members.map((member, column) => ({ member, column })).slice(visibleColumns.from, visibleColumns.to);
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
        style={{ width: `${FIRST + members.length * COLUMN}px` }}
        aria-rowcount={alignment.rows.length + 1}
        aria-colcount={members.length + 1}
      >
        <colgroup>
          <col style={{ width: `${FIRST}px` }} />
          {members.map(({ trace_id }) => (
            <col key={trace_id} style={{ width: `${COLUMN}px` }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th class="group-corner">Row</th>
            {spacer(visibleColumns.from)}
            {columns.map(({ member, column }) => (
              <ColumnHead
                key={member.trace_id}
                member={member}
                column={column}
                steps={steps.get(member.trace_id)}
                reference={members[reference]?.trace_id ?? ''}
                firstDifference={alignment.firstDifferences[column]}
                isReady={isReady}
              />
            ))}
            {spacer(members.length - visibleColumns.to)}
          </tr>
        </thead>
        <tbody>
          {folded > 0 && <FoldedRow folded={folded} columns={members.length} />}
          {visibleRows.from > 0 && <RowSpacer rows={visibleRows.from} />}
          {rows.slice(visibleRows.from, visibleRows.to).map((row) => (
            <tr key={row} aria-rowindex={row + 2} style={{ height: `${ROW}px` }}>
              <th class="group-first">{formatCount(row + 1)}</th>
              {spacer(visibleColumns.from)}
              {columns.map(({ member, column }) => (
                <StepCell key={member.trace_id} {...cellOf(row, column)} traceId={member.trace_id} />
              ))}
              {spacer(members.length - visibleColumns.to)}
            </tr>
          ))}
          {visibleRows.to < rows.length && <RowSpacer rows={rows.length - visibleRows.to} />}
        </tbody>
      </table>
    </section>
  );

  function cellOf(row: number, column: number) {
    const stepAt = (each: number) => steps.get(members[each]?.trace_id ?? '')?.steps[alignment.rows[row]?.[each] ?? -1];
    const [step, ofReference] = [stepAt(column), stepAt(reference)];
    return {
      step,
      isLoaded: steps.has(members[column]?.trace_id ?? ''),
      isExpected: step !== undefined || ofReference !== undefined,
      isDifferent: column !== reference && step?.key !== ofReference?.key,
      isFirstDifference: isReady && alignment.firstDifferences[column] === row,
    };
  }
}

/** Placeholder for rows outside of the viewport. */
const RowSpacer = ({ rows }: { readonly rows: number }) => <tr style={{ height: `${rows * ROW}px` }} />;

function FoldedRow({ folded, columns }: { readonly folded: number; readonly columns: number }) {
  return (
    <tr class="group-folded" style={{ height: `${ROW}px` }}>
      <th class="group-first">…</th>
      <td colSpan={columns}>
        <button
          type="button"
          class="quiet"
          aria-expanded={false}
          onClick={() => navigate(withQuery({ prefix: 'open' }), { replace: true })}
        >
          {`▸ ${plural(folded, 'step')} in common`}
        </button>
      </td>
    </tr>
  );
}

interface ColumnHeadProps {
  readonly member: GroupView['members'][number];
  readonly column: number;
  readonly steps: TraceSteps | undefined;
  /** Id of the reference trace. */
  readonly reference: string;
  readonly firstDifference: number | undefined;
  readonly isReady: boolean;
}

/** Shows the numbers of one rollout. */
export function ColumnHead({ member, column, steps, reference, firstDifference, isReady }: ColumnHeadProps) {
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
      <ReferenceLine
        isReference={isReference}
        isReady={isReady}
        reference={reference}
        firstDifference={firstDifference}
        traceId={trace_id}
      />
    </th>
  );
}

interface ReferenceLineProps extends Pick<ColumnHeadProps, 'reference' | 'firstDifference' | 'isReady'> {
  readonly isReference: boolean;
  readonly traceId: string;
}

function ReferenceLine({ isReference, isReady, reference, firstDifference, traceId }: ReferenceLineProps) {
  if (isReference) return <p class="group-against">the reference</p>;
  return (
    <p class="group-against">
      <span>{!isReady ? '…' : firstDifference === undefined ? 'all steps equal' : `≠ row ${firstDifference + 1}`}</span>
      <a href={buildHref({ view: 'compare', traces: `${reference},${traceId}` })}>compare</a>
      <a href={withQuery({ reference: traceId })} title="Compare the others with this one">
        as reference
      </a>
    </p>
  );
}

interface CellProps {
  readonly traceId: string;
  readonly step: AgentStep | undefined;
  readonly isLoaded: boolean;
  /** Set if this rollout or the reference has a step in this row. */
  readonly isExpected: boolean;
  /** Set if the step differs from that of the reference. */
  readonly isDifferent: boolean;
  readonly isFirstDifference: boolean;
}

/** Shows one step of one rollout, as a link to its block. */
export function StepCell({ traceId, step, isLoaded, isExpected, isDifferent, isFirstDifference }: CellProps) {
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
          {isLoaded ? (isExpected ? 'no step' : '') : '…'} {mark}
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
        title={`${tool} ${output}\n${result}${reward === null ? '' : `\nreward ${formatReward(reward)}`}`}
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

export interface Viewport {
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly height: number;
}

/** Returns the scroll position and size of an element, updated at most once per frame. */
export function useViewport(box: RefObject<HTMLElement | null>): Viewport {
  const [view, setView] = useState<Viewport>({ top: 0, left: 0, width: innerWidth, height: innerHeight });
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

import { useRef } from 'preact/hooks';
import { formatCount, plural } from '../../../core/index.ts';
import { navigate, withQuery } from '../shell/location.ts';
import type { Alignment } from './align.ts';
import { Cell } from './cell.tsx';
import { ColumnHead } from './column-head.tsx';
import type { GroupView } from './load-group.ts';
import type { TraceSteps } from './load-steps.ts';
import { useViewport } from './use-viewport.ts';
import { visibleRange } from './window.ts';

const ROW = 58;
const COLUMN = 228;
const FIRST = 44;
/** Rows and columns beyond what is in sight. */
const SPARE = 4;

interface Props {
  readonly members: GroupView['members'];
  readonly steps: ReadonlyMap<string, TraceSteps>;
  readonly alignment: Alignment;
  readonly reference: number;
  readonly isFolded: boolean;
  readonly isReady: boolean;
}

/** A table in which only what is in sight exists: 64 columns of 1,000 rows are many cells. */
export function Grid({ members, steps, alignment, reference, isFolded, isReady }: Props) {
  const box = useRef<HTMLElement>(null);
  const view = useViewport(box);
  const folded = isFolded && isReady && members.length > 1 ? alignment.commonCount : 0;
  const rows = [...alignment.rows.keys()].slice(folded);
  const top = Math.max(0, view.top - (folded > 0 ? ROW : 0));
  const inSight = visibleRange({ at: top, size: view.height, each: ROW, count: rows.length, spare: SPARE });
  const across = visibleRange({ at: view.left, size: view.width, each: COLUMN, count: members.length, spare: 1 });
  const columns = members.map((member, column) => ({ member, column })).slice(across.from, across.to);
  const spacer = (width: number) => width > 0 && <td class="group-spacer" aria-hidden="true" colSpan={width} />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
    <section class="group-box" ref={box} tabIndex={0} aria-label={`${plural(members.length, 'rollout')} side by side`}>
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
            {spacer(across.from)}
            {columns.map(({ member, column }) => (
              <ColumnHead
                key={member.trace_id}
                {...{ member, column, steps: steps.get(member.trace_id) }}
                reference={members[reference]?.trace_id ?? ''}
                firstDifference={alignment.firstDifferences[column]}
                isReady={isReady}
              />
            ))}
            {spacer(members.length - across.to)}
          </tr>
        </thead>
        <tbody>
          {folded > 0 && <FoldedRow folded={folded} columns={members.length} />}
          {inSight.from > 0 && <Gap rows={inSight.from} />}
          {rows.slice(inSight.from, inSight.to).map((row) => (
            <tr key={row} aria-rowindex={row + 2} style={{ height: `${ROW}px` }}>
              <th class="group-first">{formatCount(row + 1)}</th>
              {spacer(across.from)}
              {columns.map(({ member, column }) => (
                <Cell key={member.trace_id} {...cellOf(row, column)} traceId={member.trace_id} />
              ))}
              {spacer(members.length - across.to)}
            </tr>
          ))}
          {inSight.to < rows.length && <Gap rows={rows.length - inSight.to} />}
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
      isAsked: step !== undefined || ofReference !== undefined,
      isDifferent: column !== reference && step?.key !== ofReference?.key,
      isFirstDifference: isReady && alignment.firstDifferences[column] === row,
    };
  }
}

/** Rows that are not in sight. */
const Gap = ({ rows }: { readonly rows: number }) => <tr style={{ height: `${rows * ROW}px` }} />;

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
          {`▸ ${plural(folded, 'step')} that all have in common`}
        </button>
      </td>
    </tr>
  );
}

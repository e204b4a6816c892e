import { useMemo, useState } from 'preact/hooks';
import type { JSONValue } from '../../../../generated/trace.ts';
import { formatCount, plural } from '../../../core/index.ts';
import {
  containerPreview,
  containerSize,
  findInTree,
  type GapRow,
  isContainer,
  type JsonContainer,
  type JsonRow,
  PAGE,
  rowPath,
  toJsonRows,
  type ValueRow,
} from './json-rows.ts';
import { JsonString } from './json-string.tsx';
import { HighlightedText } from './shown.tsx';
import { useTimeSliced } from './use-slowly.ts';

interface Props {
  readonly value: JSONValue;
  /** What leads to a place of this text is open. */
  readonly highlight?: string | undefined;
  /** So many levels are open at first. Default: 1. */
  readonly openDepth?: number;
  /** Leaves out the line of the value itself, where that is an object or a list. */
  readonly isBare?: boolean;
}

const ROWS = 1_000;
const NOTHING: ReadonlyMap<JsonContainer, number[]> = new Map();

/** JSON of any depth and width, a line for each value. */
export function JsonTree({ value, highlight, openDepth = 1, isBare = false }: Props) {
  const [toggled, setToggled] = useState<ReadonlyMap<JsonContainer, boolean>>(new Map());
  const [shown, setShown] = useState<ReadonlyMap<JsonContainer, number>>(new Map());
  const [max, setMax] = useState(ROWS);
  const found = useTimeSliced(() => findInTree(value, highlight), [value, highlight]) ?? NOTHING;
  const view = { toggled, shown, found, openDepth };
  const { rows, isTruncated } = useMemo(
    () => toJsonRows(value, view, max),
    [value, toggled, shown, found, openDepth, max],
  );
  const toggle = ({ value: container, isOpen }: ValueRow) =>
    isContainer(container) && setToggled(new Map([...toggled, [container, !isOpen]]));
  const showMore = ({ parent: { value: container } }: GapRow) =>
    isContainer(container) && setShown(new Map([...shown, [container, (shown.get(container) ?? PAGE) + PAGE]]));
  return (
    <div class={`payload-tree ${isBare ? 'json-bare' : ''}`}>
      {rows
        .slice(isBare && rows.length > 1 ? 1 : 0)
        .map((row) =>
          row.kind === 'gap' ? (
            <Gap key={keyOf(row)} {...{ row, showMore }} />
          ) : (
            <Line key={keyOf(row)} {...{ row, toggle, highlight }} />
          ),
        )}
      {isTruncated && (
        <button type="button" onClick={() => setMax(max + ROWS)}>
          Show {formatCount(ROWS)} more lines
        </button>
      )}
    </div>
  );
}

const ids = new WeakMap<JsonContainer, number>();
let lastId = 0;

/** What a row is, also when others come before it. */
function keyOf(row: JsonRow): string {
  const container = row.parent?.value;
  if (container === undefined || !isContainer(container)) return 'root';
  const id = ids.get(container) ?? ++lastId;
  ids.set(container, id);
  return row.kind === 'gap' ? `${id} gap ${row.from}` : `${id} ${typeof row.key} ${row.key}`;
}

interface LineProps {
  readonly row: ValueRow;
  readonly toggle: (row: ValueRow) => void;
  readonly highlight: string | undefined;
}

function Line({ row, toggle, highlight }: LineProps) {
  const { value, depth, key, isOpen } = row;
  const name = key !== undefined && (
    <span class="json-key" title={rowPath(row)}>
      <HighlightedText text={String(key)} highlight={highlight} />
    </span>
  );
  return (
    <div class="json-row" style={indent(depth)}>
      {isContainer(value) && containerSize(value) > 0 ? (
        <button type="button" class="json-toggle" aria-expanded={isOpen} onClick={() => toggle(row)}>
          <i aria-hidden="true">{isOpen ? '▾' : '▸'}</i>
          {name}
          <small>{isOpen ? sizeInWords(value) : <HighlightedText text={containerPreview(value)} />}</small>
        </button>
      ) : (
        <>
          {name}
          <Leaf {...{ value, highlight }} />
        </>
      )}
    </div>
  );
}

const sizeInWords = (container: JsonContainer) =>
  Array.isArray(container) ? plural(container.length, 'item') : plural(containerSize(container), 'key');

/** The style of a row; very deep ones stand below each other. */
const indent = (depth: number) => ({ '--depth': Math.min(depth, 24) });

function Leaf({ value, highlight }: { readonly value: JSONValue; readonly highlight: string | undefined }) {
  if (typeof value === 'string') return <JsonString text={value} highlight={highlight} />;
  const text = isContainer(value) ? (Array.isArray(value) ? '[]' : '{}') : String(value);
  return (
    <span class={`json-${value === null ? 'null' : typeof value}`}>
      <HighlightedText text={text} highlight={highlight} />
    </span>
  );
}

function Gap({ row, showMore }: { readonly row: GapRow; readonly showMore: (row: GapRow) => void }) {
  return (
    <div class="json-row" style={indent(row.depth)}>
      <button type="button" class="json-toggle json-gap" onClick={() => showMore(row)}>
        <i aria-hidden="true">…</i>
        {formatCount(row.count)} more: show {formatCount(Math.min(PAGE, row.count))}
      </button>
    </div>
  );
}

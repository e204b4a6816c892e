import { useMemo, useState } from 'preact/hooks';
import type { JSONValue } from '../../../../generated/trace.ts';
import { formatCount, plural, truncate } from '../../../core/index.ts';
import { findHits } from '../parts/text-segments.ts';
import { HighlightedText } from '../parts/visible-text.tsx';
import { useTimeSliced } from './deferred.ts';
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
import { TextPayload } from './text.tsx';

interface Props {
  readonly value: JSONValue;
  /** Text to mark; the members that lead to it are open. */
  readonly highlight?: string | undefined;
  /** Number of levels that are open at first. @default 1 */
  readonly openDepth?: number;
  /** Omits the line of the root, if it is an object or array. */
  readonly isBare?: boolean;
}

const ROWS = 1_000;
const NOTHING: ReadonlyMap<JsonContainer, number[]> = new Map();

/** Shows JSON of any depth and width, one line per value. */
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
            <Gap key={keyOf(row)} row={row} showMore={showMore} />
          ) : (
            <Line key={keyOf(row)} row={row} toggle={toggle} highlight={highlight} />
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

/** Returns a key that stays the same when rows are added before it. */
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
          <Leaf value={value} highlight={highlight} />
        </>
      )}
    </div>
  );
}

const sizeInWords = (container: JsonContainer) =>
  Array.isArray(container) ? plural(container.length, 'item') : plural(containerSize(container), 'key');

/** Style of a row; very deep rows share one indent. */
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

const SHORT_LENGTH = 400;

/** Shows a string: if it is long, its beginning, until the user expands it or it contains a hit. */
export function JsonString({ text, highlight }: { readonly text: string; readonly highlight: string | undefined }) {
  const [isExpanded, setExpanded] = useState(false);
  if (text.length <= SHORT_LENGTH) return <Quoted text={text} highlight={highlight} />;
  const isAll = isExpanded || findHits(text.slice(SHORT_LENGTH - (highlight?.length ?? 0)), highlight, 1).length > 0;
  if (isAll) {
    return (
      <div class="json-string json-long">
        <TextPayload text={text} highlight={highlight} as="plain" />
      </div>
    );
  }
  return (
    <>
      <Quoted text={truncate(text, SHORT_LENGTH + 1)} highlight={highlight} />{' '}
      <button type="button" class="json-toggle json-gap" onClick={() => setExpanded(true)}>
        {formatCount(text.length - SHORT_LENGTH)} more characters
      </button>
    </>
  );
}

function Quoted({ text, highlight }: { readonly text: string; readonly highlight: string | undefined }) {
  return (
    <span class="json-string">
      "<HighlightedText text={text} highlight={highlight} />"
    </span>
  );
}

interface HiddenFieldsProps {
  /** Name of the field. */
  readonly label: string;
  readonly value: JSONValue;
  readonly highlight?: string | undefined;
}

/** Fields that the model did not see. */
export function HiddenFields({ label, value, highlight }: HiddenFieldsProps) {
  return (
    <details class="payload-unseen">
      <summary>
        {label} <small>not shown to the model</small>
      </summary>
      <JsonTree value={value} highlight={highlight} openDepth={2} isBare />
    </details>
  );
}

/** Fields that are not part of the format. */
export function OtherFields({
  fields,
  highlight,
}: {
  readonly fields: Record<string, JSONValue>;
  readonly highlight?: string | undefined;
}) {
  if (Object.keys(fields).length === 0) return null;
  return (
    <details class="payload-unseen">
      <summary>other fields</summary>
      <JsonTree value={fields} highlight={highlight} openDepth={2} isBare />
    </details>
  );
}

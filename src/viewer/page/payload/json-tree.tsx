import { useContext, useMemo, useState } from 'preact/hooks';
import type { JSONValue } from '../../../../generated/trace.ts';
import { formatCount, plural, truncate } from '../../../core/index.ts';
import { Button } from '../parts/buttons.tsx';
import { findHits } from '../parts/text-segments.ts';
import { HighlightContext, HighlightedText, VisibleText } from '../parts/visible-text.tsx';
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
  /** Number of levels that are open at first. @default 1 */
  readonly openDepth?: number;
  /** Omits the line of the root, if it is an object or array. */
  readonly isBare?: boolean;
}

const ROWS = 1_000;
const NO_HITS: ReadonlyMap<JsonContainer, number[]> = new Map();

/** Shows JSON of any depth and width, one line per value. The members that lead to a hit are open. */
export function JsonTree({ value, openDepth = 1, isBare = false }: Props) {
  const highlight = useContext(HighlightContext);
  const [toggled, setToggled] = useState<ReadonlyMap<JsonContainer, boolean>>(new Map());
  const [shown, setShown] = useState<ReadonlyMap<JsonContainer, number>>(new Map());
  const [max, setMax] = useState(ROWS);
  const found = useTimeSliced(() => findInTree(value, highlight), [value, highlight]) ?? NO_HITS;
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
            <Line key={keyOf(row)} row={row} toggle={toggle} />
          ),
        )}
      {isTruncated && <Button onClick={() => setMax(max + ROWS)}>Show {formatCount(ROWS)} more lines</Button>}
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

function Line({ row, toggle }: { readonly row: ValueRow; readonly toggle: (row: ValueRow) => void }) {
  const { value, depth, key, isOpen } = row;
  const name = key !== undefined && (
    <span class="json-key" title={rowPath(row)}>
      <HighlightedText text={String(key)} />
    </span>
  );
  return (
    <div class="json-row" style={indent(depth)}>
      {isContainer(value) && containerSize(value) > 0 ? (
        <Button class="json-toggle" aria-expanded={isOpen} onClick={() => toggle(row)}>
          <i aria-hidden="true">{isOpen ? '▾' : '▸'}</i>
          {name}
          <small>{isOpen ? sizeInWords(value) : <VisibleText text={containerPreview(value)} />}</small>
        </Button>
      ) : (
        <>
          {name}
          <Leaf value={value} />
        </>
      )}
    </div>
  );
}

const sizeInWords = (container: JsonContainer) =>
  Array.isArray(container) ? plural(container.length, 'item') : plural(containerSize(container), 'key');

/** Style of a row; very deep rows share one indent. */
const indent = (depth: number) => ({ '--depth': Math.min(depth, 24) });

function Leaf({ value }: { readonly value: JSONValue }) {
  if (typeof value === 'string') return <JsonString text={value} />;
  const text = isContainer(value) ? (Array.isArray(value) ? '[]' : '{}') : String(value);
  return (
    <span class={`json-${value === null ? 'null' : typeof value}`}>
      <HighlightedText text={text} />
    </span>
  );
}

function Gap({ row, showMore }: { readonly row: GapRow; readonly showMore: (row: GapRow) => void }) {
  return (
    <div class="json-row" style={indent(row.depth)}>
      <Button class="json-toggle json-gap" onClick={() => showMore(row)}>
        <i aria-hidden="true">…</i>
        {formatCount(row.count)} more: show {formatCount(Math.min(PAGE, row.count))}
      </Button>
    </div>
  );
}

const SHORT_LENGTH = 400;

/** Shows a string: if it is long, its beginning, until the user expands it or it contains a hit. */
function JsonString({ text }: { readonly text: string }) {
  const [isExpanded, setExpanded] = useState(false);
  const highlight = useContext(HighlightContext);
  if (text.length <= SHORT_LENGTH) return <Quoted text={text} />;
  const isAll = isExpanded || findHits(text.slice(SHORT_LENGTH - (highlight?.length ?? 0)), highlight, 1).length > 0;
  if (isAll) {
    return (
      <div class="json-string json-long">
        <TextPayload text={text} as="plain" />
      </div>
    );
  }
  return (
    <>
      <Quoted text={truncate(text, SHORT_LENGTH + 1)} />{' '}
      <Button class="json-toggle json-gap" onClick={() => setExpanded(true)}>
        {formatCount(text.length - SHORT_LENGTH)} more characters
      </Button>
    </>
  );
}

function Quoted({ text }: { readonly text: string }) {
  return (
    <span class="json-string">
      "<HighlightedText text={text} />"
    </span>
  );
}

/** Field that the model did not see. */
export function HiddenFields({ label, value }: { readonly label: string; readonly value: JSONValue }) {
  return (
    <details class="payload-unseen">
      <summary>
        {label} <small>not shown to the model</small>
      </summary>
      <JsonTree value={value} openDepth={2} isBare />
    </details>
  );
}

/** Fields that are not part of the format. */
export function OtherFields({ fields }: { readonly fields: Record<string, JSONValue> }) {
  if (Object.keys(fields).length === 0) return null;
  return (
    <details class="payload-unseen">
      <summary>other fields</summary>
      <JsonTree value={fields} openDepth={2} isBare />
    </details>
  );
}

import type { JSONValue } from '../../../../generated/trace.ts';
import { appendKey, truncate } from '../../../core/index.ts';
import { toSearchPattern } from '../parts/text-segments.ts';

export type JsonContainer = { readonly [key: string]: JSONValue } | readonly JSONValue[];

/** Line of a JSON tree. */
export type JsonRow = ValueRow | GapRow;
export interface ValueRow {
  readonly kind: 'value';
  readonly depth: number;
  /** Undefined for the root. */
  readonly key: string | number | undefined;
  readonly value: JSONValue;
  readonly isOpen: boolean;
  /** Row of the parent container. */
  readonly parent: ValueRow | undefined;
}
/** Placeholder for hidden members. */
export interface GapRow {
  readonly kind: 'gap';
  readonly depth: number;
  readonly parent: ValueRow;
  readonly from: number;
  readonly count: number;
}

/** State of a tree. Containers are compared by identity; parsed JSON contains each only once. */
export interface TreeView {
  /** Depth down to which containers are open by default. */
  readonly openDepth: number;
  readonly toggled: ReadonlyMap<JsonContainer, boolean>;
  /** Number of visible members of a container, if it is not `PAGE`. */
  readonly shown: ReadonlyMap<JsonContainer, number>;
  /** By container: indexes of the members that are or contain a hit, ascending. */
  readonly found: ReadonlyMap<JsonContainer, readonly number[]>;
}

export const PAGE = 100;

export const isContainer = (value: JSONValue): value is JSONValue & JsonContainer =>
  typeof value === 'object' && value !== null;

const keysOfObject = new WeakMap<JsonContainer, readonly string[]>();

function keysOf(container: JsonContainer): readonly string[] {
  const known = keysOfObject.get(container);
  if (known) return known;
  const keys = Object.keys(container);
  keysOfObject.set(container, keys);
  return keys;
}

export const containerSize = (container: JsonContainer): number =>
  Array.isArray(container) ? container.length : keysOf(container).length;

function memberAt(
  container: JsonContainer,
  index: number,
): { readonly key: string | number; readonly value: JSONValue } {
  if (Array.isArray(container)) return { key: index, value: container[index] ?? null };
  const key = keysOf(container)[index] ?? '';
  return { key, value: (container as { readonly [key: string]: JSONValue })[key] ?? null };
}

function isOpen(container: JsonContainer, depth: number, { toggled, found, openDepth }: TreeView): boolean {
  return toggled.get(container) ?? (found.has(container) || depth < openDepth);
}

/** Container whose members are being listed. */
interface ContainerFrame {
  readonly row: ValueRow;
  readonly container: JsonContainer;
  next: number;
}

/**
 * Lists the lines of a tree, at most `max`, for any depth of nesting.
 *
 * @returns `isTruncated` if there are more.
 */
export function toJsonRows(root: JSONValue, view: TreeView, max: number): { rows: JsonRow[]; isTruncated: boolean } {
  const rows: JsonRow[] = [];
  const frames: ContainerFrame[] = [];
  add(undefined, root, undefined);
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (rows.length >= max) return { rows, isTruncated: true };
    const { row, container, next } = frame;
    if (next >= containerSize(container)) {
      frames.pop();
      continue;
    }
    const to = nextShown(container, next, view);
    if (to > next) rows.push({ kind: 'gap', depth: row.depth + 1, parent: row, from: next, count: to - next });
    frame.next = to + 1;
    if (to >= containerSize(container)) continue;
    const { key, value } = memberAt(container, to);
    add(key, value, row);
  }
  return { rows, isTruncated: false };

  function add(key: string | number | undefined, value: JSONValue, parent: ValueRow | undefined): void {
    const depth = parent ? parent.depth + 1 : 0;
    const isShownOpen = isContainer(value) && isOpen(value, depth, view);
    const row: ValueRow = { kind: 'value', depth, key, value, isOpen: isShownOpen, parent };
    rows.push(row);
    if (isShownOpen && isContainer(value)) frames.push({ row, container: value, next: 0 });
  }
}

/** Returns the index of the first visible member from `from` on, or the size. */
function nextShown(container: JsonContainer, from: number, { shown, found }: TreeView): number {
  if (from < (shown.get(container) ?? PAGE)) return from;
  return found.get(container)?.find((index) => index >= from) ?? containerSize(container);
}

const MAX_FOUND = 500;
const NODES_PER_STEP = 2_000;

/**
 * Finds a text in the keys and values of a tree, ignoring case. Returns, for each container around a hit, the members
 * that lead to it. Yields at intervals, for `runTimeSliced`.
 */
export function* findInTree(
  root: JSONValue,
  highlight: string | undefined,
): Generator<undefined, Map<JsonContainer, number[]>> {
  const found = new Map<JsonContainer, number[]>();
  const requested = toSearchPattern(highlight);
  if (!requested || !isContainer(root)) return found;
  const isHit = (value: JSONValue | string) => !isContainer(value) && String(value).search(requested) >= 0;
  const frames = [{ container: root as JsonContainer, next: 0 }];
  for (let nodes = 0, hits = 0; hits < MAX_FOUND; nodes++) {
    const frame = frames.at(-1);
    if (!frame) break;
    if (nodes % NODES_PER_STEP === 0) yield;
    if (frame.next >= containerSize(frame.container)) {
      frames.pop();
      continue;
    }
    const { key, value } = memberAt(frame.container, frame.next++);
    if ((typeof key === 'string' && isHit(key)) || isHit(value)) {
      hits++;
      for (const { container, next } of frames) note(found, container, next - 1);
    }
    if (isContainer(value)) frames.push({ container: value, next: 0 });
  }
  return found;
}

function note(found: Map<JsonContainer, number[]>, container: JsonContainer, index: number): void {
  const indexes = found.get(container);
  if (!indexes) found.set(container, [index]);
  else if (indexes.at(-1) !== index) indexes.push(index);
}

const MAX_STEPS = 60;

/** Returns the path of a row, such as `$.nested.list[2]["a b"]`; of a very deep one, its end. */
export function rowPath(row: ValueRow): string {
  const keys: (string | number)[] = [];
  let at: ValueRow | undefined = row;
  for (; at?.parent && keys.length < MAX_STEPS; at = at.parent) keys.push(at.key ?? '');
  return keys.reduceRight<string>(appendKey, at?.parent ? '…' : '$');
}

/** Returns a short preview of a container, such as `{ city: "Bogotá", days: [3], … }`. */
export function containerPreview(container: JsonContainer): string {
  const size = containerSize(container);
  const isList = Array.isArray(container);
  const parts = Array.from({ length: Math.min(size, 4) }, (_, index) => {
    const { key, value } = memberAt(container, index);
    return isList ? shortOf(value) : `${shorten(String(key))}: ${shortOf(value)}`;
  });
  const all = [...parts, ...(size > parts.length ? ['…'] : [])].join(', ');
  return isList ? `[${all}]` : size === 0 ? '{}' : `{ ${all} }`;
}

function shortOf(value: JSONValue): string {
  if (typeof value === 'string') return `"${shorten(value)}"`;
  if (!isContainer(value)) return String(value);
  return Array.isArray(value) ? `[${value.length}]` : '{…}';
}

const shorten = (text: string) => truncate(text, 25).replaceAll('\n', '↵');

/** Deeper lines are not indented further: 100,000 levels would need more spaces than there is memory. */
const MAX_INDENT = 32;
const MEMBERS_PER_STEP = 2_000;

/** Formats values of any depth like `JSON.stringify(value, null, 2)`. Yields at intervals, for `runTimeSliced`. */
export function* prettyJson(root: JSONValue): Generator<undefined, string> {
  const pieces: string[] = [];
  const frames: { readonly container: JsonContainer; next: number }[] = [];
  begin(root);
  let members = 0;
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    if (members++ % MEMBERS_PER_STEP === 0) yield;
    const { container, next } = frame;
    if (next === containerSize(container)) {
      frames.pop();
      pieces.push(lineOf(frames.length), Array.isArray(container) ? ']' : '}');
      continue;
    }
    frame.next++;
    pieces.push(next > 0 ? ',' : '', lineOf(frames.length));
    const { key, value } = memberAt(container, next);
    if (typeof key === 'string') pieces.push(JSON.stringify(key), ': ');
    begin(value);
  }
  return pieces.join('');

  function begin(value: JSONValue): void {
    if (!isContainer(value) || containerSize(value) === 0) {
      pieces.push(JSON.stringify(value) ?? 'null');
      return;
    }
    pieces.push(Array.isArray(value) ? '[' : '{');
    frames.push({ container: value, next: 0 });
  }
}

const lineOf = (depth: number) => `\n${'  '.repeat(Math.min(depth, MAX_INDENT))}`;

/** Like `prettyJson`, but synchronous. */
export function prettyJsonNow(value: JSONValue): string {
  const steps = prettyJson(value);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

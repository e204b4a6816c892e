import { appendAll } from '../../../core/index.ts';
import type { Outline, TranscriptRow } from './outline.ts';
import { rowHasError } from './visible-rows.ts';

/** Part of the time of a trace: a turn of the model, or a tool call. */
export interface TimeSpan {
  readonly row: TranscriptRow;
  readonly kind: 'model' | 'tool';
  /** In milliseconds since the beginning of the trace, as is `end`. */
  readonly start: number;
  readonly end: number;
  readonly isError: boolean;
}

/**
 * Returns what took the time of a trace, in the order of its blocks. A turn of the model begins with the block before it,
 * and a call ends with its last result.
 *
 * @param origin time at which the trace begins, in milliseconds since 1970.
 */
export function outlineToSpans({ messages }: Pick<Outline, 'messages'>, origin: number): TimeSpan[] {
  const spans: TimeSpan[] = [];
  let last: number | undefined;
  const at = (time: string): number => Math.max(0, Date.parse(time) - origin);
  for (const row of messages) {
    const [message] = row.blocks;
    // Other agents run during the calls of the main one.
    if (row.inner) appendAll(spans, outlineToSpans({ messages: row.children }, origin));
    if (!message) continue;
    const end = at(message.created_at);
    if (message.role === 'assistant') {
      spans.push({ row, kind: 'model', start: Math.min(end, last ?? end), end, isError: false });
    }
    last = Math.max(last ?? 0, end);
    for (const call of row.children) {
      const [block] = call.blocks;
      if (call.kind !== 'call' || !block) continue;
      const [results] = call.children;
      const start = at(block.created_at);
      const until = Math.max(start, ...(results?.blocks ?? []).map(({ created_at }) => at(created_at)));
      spans.push({ row: call, kind: 'tool', start, end: until, isError: results ? rowHasError(results) : false });
      last = Math.max(last, until);
    }
  }
  return spans;
}

/** Returns the milliseconds that spans of a kind cover; those at the same time count once. */
export function coveredTime(spans: readonly TimeSpan[], kind: TimeSpan['kind']): number {
  let covered = 0;
  let until = 0;
  const own = spans.filter((span) => span.kind === kind).sort((one, other) => one.start - other.start);
  for (const { start, end } of own) {
    covered += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return covered;
}

/** Returns the index of the span at a time, the shortest of several; of the nearest one if there is none; -1 without spans. */
export function spanAt(spans: readonly TimeSpan[], time: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  let length = Number.POSITIVE_INFINITY;
  for (const [index, { start, end }] of spans.entries()) {
    const distance = Math.max(0, start - time, time - end);
    if (distance > least || (distance === least && end - start >= length)) continue;
    [best, least, length] = [index, distance, end - start];
  }
  return best;
}

/** Minimum width of a span in px. */
const MIN_PX = 2;

/** Converts spans to the path of boxes between two heights; those that touch are one box, so that a path stays short. */
export function toSpanPath(
  spans: readonly TimeSpan[],
  {
    total,
    width,
    from,
    to,
  }: { readonly total: number; readonly width: number; readonly from: number; readonly to: number },
): string {
  const scale = total === 0 ? 0 : (width - MIN_PX) / total;
  const boxes: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const box = { start: start * scale, end: Math.max(end * scale, start * scale + MIN_PX) };
    const last = boxes.at(-1);
    if (last && box.start <= last.end) last.end = Math.max(last.end, box.end);
    else boxes.push(box);
  }
  return boxes.map(({ start, end }) => `M${round(start)} ${from}H${round(end)}V${to}H${round(start)}z`).join('');
}

const round = (value: number): string => String(Math.round(value * 10) / 10);

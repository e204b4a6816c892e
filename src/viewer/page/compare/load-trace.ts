import type { StitchedMessage, StitchedTrace, Trace } from '../../../../generated/trace.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { type TraceItem, toTraceItems } from './items.ts';

/** A trace and what happened in it. */
export interface ComparedTrace {
  readonly trace: Trace;
  readonly items: readonly TraceItem[];
  /** Whether there is more than could be read. */
  readonly isTruncated: boolean;
}

/** A page is a few megabytes; two traces of so many fit into a tab. */
const PAGES = 12;
const MAX_ITEMS = 20_000;

export async function loadComparedTrace(org: string, traceId: string, signal: AbortSignal): Promise<ComparedTrace> {
  const messages: StitchedMessage[] = [];
  let trace: Trace | undefined;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const query = { assemble: true, ...(cursor !== undefined && { cursor }) };
    const response = await unwrapResponse(
      traceApi.stitchedBlocks({ params: { path: { org, traceId }, query }, signal }),
    );
    // Without `fields=skeleton` it is the whole tree.
    const tree = response as StitchedTrace;
    trace = tree.trace;
    messages.push(...tree.messages);
    cursor = tree.page.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  if (!trace) throw new Error('the server gave no page of the trace');
  const items = toTraceItems(messages);
  return { trace, items: items.slice(0, MAX_ITEMS), isTruncated: cursor !== undefined || items.length > MAX_ITEMS };
}

import type { StitchedMessage, StitchedTrace, Trace } from '../../../../generated/trace.ts';
import { answerOf, api } from '../api/store.ts';
import { type Item, itemsOf } from './items.ts';

/** A trace and what happened in it. */
export interface Side {
  readonly trace: Trace;
  readonly items: readonly Item[];
  /** Whether there is more than could be read. */
  readonly isCut: boolean;
}

/** A page is a few megabytes; two traces of so many fit into a tab. */
const PAGES = 12;
const MOST_ITEMS = 20_000;

export async function loadTrace(org: string, traceId: string, signal: AbortSignal): Promise<Side> {
  const messages: StitchedMessage[] = [];
  let trace: Trace | undefined;
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const query = { assemble: true, ...(cursor !== undefined && { cursor }) };
    const answer = await answerOf(api.stitchedBlocks({ params: { path: { org, traceId }, query }, signal }));
    // Without `fields=skeleton` it is the whole tree.
    const tree = answer as StitchedTrace;
    trace = tree.trace;
    messages.push(...tree.messages);
    cursor = tree.page.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  if (!trace) throw new Error('the server gave no page of the trace');
  const items = itemsOf(messages);
  return { trace, items: items.slice(0, MOST_ITEMS), isCut: cursor !== undefined || items.length > MOST_ITEMS };
}

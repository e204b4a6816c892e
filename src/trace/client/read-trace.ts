import type {
  AssembledResult,
  BlockId,
  Group,
  Page,
  Run,
  Score,
  StitchedMessage,
  StitchedToolCall,
  StitchedTrace,
  ThinkBlock,
  ToolResultBlock,
  Trace,
  TraceId,
  TraceSummary,
} from '../../../generated/trace.ts';
import { appendAll } from '../../core/index.ts';
import { type ReadBlob, restoreBlobs, restoreValue } from '../fit/index.ts';
import { assemble } from '../model/index.ts';
import type { TraceApiRequest, TraceApiRequester } from './api.ts';
import { TraceError } from './trace-error.ts';

/** Reads a trace and restores values that were split or offloaded. @throws TraceError */
export async function readStitchedTrace(api: TraceApiRequester, id: TraceId): Promise<StitchedTrace> {
  const messages: StitchedMessage[] = [];
  let last: StitchedTrace | undefined;
  for await (last of readStitchedPages(api, id)) appendAll(messages, last.messages);
  // There is at least one page.
  return { ...(last as StitchedTrace), messages };
}

/** Maximum number of messages of a page; without a limit, the store returns the whole tree. */
const PAGE_MESSAGES = 2000;

/**
 * Reads a trace page by page and restores values that were split or offloaded; at most one page is in memory.
 *
 * @throws TraceError
 * @example
 * for await (const { messages } of readStitchedPages(api, 'tr_1')) console.log(messages.length);
 */
export async function* readStitchedPages(api: TraceApiRequester, id: TraceId): AsyncGenerator<StitchedTrace> {
  let cursor: string | null = null;
  do {
    const readBlob = createBlobReader(api);
    const query = { limit: PAGE_MESSAGES, ...(cursor === null ? {} : { cursor }) };
    // The responses of a store match its specification.
    const page = (await api.json('stitchedBlocks', { traceId: id, query })) as StitchedTrace;
    const messages: StitchedMessage[] = [];
    for (const message of page.messages) messages.push(await restoreMessage(message, readBlob));
    yield { ...page, messages };
    cursor = page.page.next_cursor;
  } while (cursor !== null);
}

/** Fetches each blob once per page. */
function createBlobReader(api: TraceApiRequester): ReadBlob {
  const found = new Map<string, Promise<Uint8Array>>();
  return (sha256) => {
    const known = found.get(sha256) ?? api.bytes('getBlob', { sha256 });
    found.set(sha256, known);
    return known;
  };
}

async function restoreMessage(message: StitchedMessage, readBlob: ReadBlob): Promise<StitchedMessage> {
  const thinks = joinThoughts(message.thinks);
  const pieces = new Set(message.thinks.map(({ id }) => id));
  for (const { id } of thinks) pieces.delete(id);
  const tool_calls: StitchedToolCall[] = [];
  for (const call of message.tool_calls) tool_calls.push(await restoreCall(call, readBlob));
  return {
    ...(await restoreBlobs(message, readBlob)),
    thinks: await Promise.all(thinks.map((think) => restoreBlobs(think, readBlob))),
    tool_calls,
    child_order: message.child_order.filter((id: BlockId) => !pieces.has(id)),
  };
}

/** Joins split thoughts: the last piece gets the text of all pieces. */
function joinThoughts(thinks: readonly ThinkBlock[]): ThinkBlock[] {
  const joined: ThinkBlock[] = [];
  let text = '';
  for (const think of thinks) {
    const { part, parts, text: piece, ...payload } = think.payload;
    if (typeof part !== 'number' || typeof parts !== 'number') joined.push(think);
    else {
      text = part === 0 ? piece : text + piece;
      if (part === parts - 1) joined.push({ ...think, payload: { ...payload, text } });
    }
  }
  return joined;
}

async function restoreCall(call: StitchedToolCall, readBlob: ReadBlob): Promise<StitchedToolCall> {
  const tool_results: ToolResultBlock[] = [];
  for (const result of call.tool_results) {
    tool_results.push({ ...result, raw: await restoreValue(result.raw, readBlob) });
  }
  return {
    ...(await restoreBlobs(call, readBlob)),
    tool_results,
    assembled: await restoreResult(tool_results, readBlob),
  };
}

/** Returns the result of a call; a split result is joined. */
async function restoreResult(results: readonly ToolResultBlock[], readBlob: ReadBlob): Promise<AssembledResult> {
  const assembled = assemble(results);
  return { ...assembled, value: await restoreValue(assembled.value, readBlob) };
}

interface PageByOperation {
  readonly listTraces: { readonly traces: readonly Trace[]; readonly page: Page };
  readonly listTraceSummaries: { readonly summaries: readonly TraceSummary[]; readonly page: Page };
  readonly listRuns: { readonly runs: readonly Run[]; readonly page: Page };
  readonly listGroups: { readonly groups: readonly Group[]; readonly page: Page };
  readonly listScores: { readonly scores: readonly Score[]; readonly page: Page };
}

/** Maximum page size of a store. */
const MAX_PAGE_SIZE = 1000;

/**
 * Yields the pages of a list.
 *
 * @param max maximum number of items. @default Infinity
 * @throws TraceError
 * @example
 * for await (const { traces } of listPages(api, 'listTraces', { run: 'nightly' })) console.log(traces.length);
 */
export async function* listPages<Operation extends keyof PageByOperation>(
  api: TraceApiRequester,
  operation: Operation,
  query: NonNullable<TraceApiRequest['query']> = {},
  max = Number.POSITIVE_INFINITY,
): AsyncGenerator<PageByOperation[Operation]> {
  let cursor: string | null = null;
  for (let left = max; left > 0; ) {
    const position: { cursor?: string } = cursor === null ? {} : { cursor };
    const limit = Math.min(left, MAX_PAGE_SIZE);
    // The responses of a store match its specification.
    const page = (await api.json(operation, { query: { ...query, ...position, limit } })) as PageByOperation[Operation];
    yield page;
    cursor = page.page.next_cursor;
    if (cursor === null) return;
    // A page has one list, which may be short.
    left -= Object.values(page).find(Array.isArray)?.length ?? 0;
  }
}

/**
 * Deletes a trace. Succeeds if it was already deleted, for example by a request whose response was lost.
 *
 * @throws TraceError
 * @example
 * await deleteTrace(api, 'tr_1');
 */
export async function deleteTrace(api: TraceApiRequester, id: string): Promise<void> {
  try {
    // The response has no body, so it is not JSON.
    await api.bytes('deleteTrace', { traceId: id });
  } catch (error) {
    if (!(error instanceof TraceError) || error.code !== 'TRACE_DELETED') throw error;
  }
}

/**
 * Deletes a score.
 *
 * @throws TraceError NOT_FOUND if there is no such score.
 * @example
 * await deleteScore(api, 'sc_1');
 */
export async function deleteScore(api: TraceApiRequester, id: string): Promise<void> {
  // The response has no body, so it is not JSON.
  await api.bytes('deleteScore', { scoreId: id });
}

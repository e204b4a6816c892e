import type {
  AssembledResult,
  BlockId,
  JSONValue,
  StitchedMessage,
  StitchedToolCall,
  StitchedTrace,
  ThinkBlock,
  ToolResultBlock,
  TraceId,
} from '../../../../generated/trace.ts';
import { appendAll } from '../../../core/index.ts';
import { type ReadBlob, restoreContent, restoreValue } from '../../fit/index.ts';
import { assemble, compareBlocks } from '../../model/index.ts';
import type { TraceApiRequester } from '../api.ts';

/** Reads a trace and puts together what was too large for a block. @throws TraceError */
export async function readStitchedTrace(api: TraceApiRequester, id: TraceId): Promise<StitchedTrace> {
  const messages: StitchedMessage[] = [];
  let last: StitchedTrace | undefined;
  for await (last of readStitchedPages(api, id)) appendAll(messages, last.messages);
  // There is always a page.
  return { ...(last as StitchedTrace), messages };
}

/** The same page by page; no more than one is in memory. @throws TraceError */
export async function* readStitchedPages(api: TraceApiRequester, id: TraceId): AsyncGenerator<StitchedTrace> {
  let cursor: string | null = null;
  do {
    const readBlob = createBlobReader(api);
    const query: Record<string, string> = cursor === null ? {} : { cursor };
    // The store's answers follow its specification.
    const page = (await api.json('stitchedBlocks', { traceId: id, query })) as StitchedTrace;
    const messages: StitchedMessage[] = [];
    for (const message of page.messages) messages.push(await wholeMessage(message, readBlob));
    yield { ...page, messages };
    cursor = page.page.next_cursor;
  } while (cursor !== null);
}

/** Each blob is fetched once a page. */
function createBlobReader(api: TraceApiRequester): ReadBlob {
  const found = new Map<string, Promise<Uint8Array>>();
  return (sha256) => {
    const known = found.get(sha256) ?? api.bytes('getBlob', { sha256 });
    found.set(sha256, known);
    return known;
  };
}

async function wholeMessage(message: StitchedMessage, readBlob: ReadBlob): Promise<StitchedMessage> {
  const content = await restoreContent(message.payload.content, readBlob);
  const thinks = joinThoughts(message.thinks);
  const pieces = new Set(message.thinks.map(({ id }) => id));
  for (const { id } of thinks) pieces.delete(id);
  const tool_calls: StitchedToolCall[] = [];
  for (const call of message.tool_calls) tool_calls.push(await wholeCall(call, readBlob));
  return {
    ...message,
    payload: { ...message.payload, content },
    raw: await restoreValue(message.raw, readBlob),
    thinks: await Promise.all(
      thinks.map(async (think) => ({ ...think, raw: await restoreValue(think.raw, readBlob) })),
    ),
    tool_calls,
    child_order: message.child_order.filter((id: BlockId) => !pieces.has(id)),
  };
}

/** Pieces become the last of them, with the text of all. */
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

async function wholeCall(call: StitchedToolCall, readBlob: ReadBlob): Promise<StitchedToolCall> {
  const { name, arguments: given, ...payload } = call.payload;
  const tool_results: ToolResultBlock[] = [];
  for (const result of call.tool_results) {
    tool_results.push({ ...result, raw: await restoreValue(result.raw, readBlob) });
  }
  return {
    ...call,
    payload: { ...payload, name, arguments: await restoreValue(given, readBlob) },
    raw: await restoreValue(call.raw, readBlob),
    tool_results,
    assembled: await wholeResult(tool_results, readBlob),
  };
}

/** The result of a call, whole: of one that was written in pieces, what the pieces are of. */
async function wholeResult(results: readonly ToolResultBlock[], readBlob: ReadBlob): Promise<AssembledResult> {
  const assembled = assemble(results);
  if (assembled.state === 'complete') return { ...assembled, value: await restoreValue(assembled.value, readBlob) };
  const pieces = [...results].sort(compareBlocks);
  const [first] = pieces;
  if (!first) return assembled;
  const { parts, media_type } = first.payload;
  if (parts !== pieces.length || typeof assembled.value !== 'string') return assembled;
  const value = media_type === 'application/json' ? (JSON.parse(assembled.value) as JSONValue) : assembled.value;
  return { ...assembled, state: 'complete', value };
}

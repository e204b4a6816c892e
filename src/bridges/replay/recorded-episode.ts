import type {
  BlockInput,
  JSONValue,
  StitchedMessage,
  StitchedToolCall,
  StitchedTrace,
  Trace,
  Block as TraceBlock,
} from '../../../generated/trace.ts';
import { fieldsOf, isJsonObject, isRecord, ownProperty, parseDataUrl } from '../../core/index.ts';
import type { ToolResult } from '../../environment/index.ts';
import {
  type Block,
  image,
  type JSONObject,
  type Message,
  promptMessages,
  readToolSpec,
  type TerminalTool,
  type ToolResultBlock,
  type ToolSpec,
  text,
} from '../../protocol/index.ts';
import { restoreBlocks } from '../../trace/fit/index.ts';
import type { ImportedTrace, outputParts } from '../../trace/formats/index.ts';
import { assemble, stitch } from '../../trace/model/index.ts';

/**
 * Recorded trace, as `readTrace` of `ors-kit/trace` and `readRecordedTraces` return it.
 *
 * @example
 * const recorded: RecordedTrace = await traces.readTrace('tr_1');
 * await serve([await replayEnvironment(recorded)]);
 */
export interface RecordedTrace extends Pick<StitchedTrace, 'messages'> {
  readonly trace: Pick<
    Trace,
    'id' | 'parent_trace_id' | 'environment' | 'split' | 'task_index' | 'task_spec' | 'metadata'
  >;
}

/** Episode as it was recorded. */
export interface RecordedEpisode extends Pick<Trace, 'id' | 'environment' | 'split'> {
  readonly index: number | null;
  readonly task: JSONObject | null;
  /** The conversation that the agent continued; one message of the user for a plain prompt. */
  readonly messages: readonly Message[];
  /** Undefined if the tools were not recorded. */
  readonly tools: readonly ToolSpec[] | undefined;
  /** Tool that graded the final message, if there was one. */
  readonly terminalTool: TerminalTool | undefined;
  /** Calls in the order in which they were made. */
  readonly calls: readonly RecordedCall[];
}

/** Call as it was recorded. */
export interface RecordedCall {
  readonly name: string;
  readonly input: JSONObject;
  readonly outcome: RecordedOutcome;
}

/** Result of a recorded call, or the reason why it has none. */
type RecordedOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly reason: string };

/** Loads the trace formats on demand, because they are half of the bridge's code. */
const loadFormats = () => import('../../trace/formats/index.ts');

/**
 * Reads traces from an export: JSON Lines of `ors traces export`, or another format that `ors traces import` accepts.
 *
 * @throws Error with the number of a line that cannot be read.
 * @example
 * const traces: RecordedTrace[] = [];
 * for await (const trace of readRecordedTraces(createReadStream('traces.jsonl'))) traces.push(trace);
 * await serve(await replayEnvironments(traces));
 */
export async function* readRecordedTraces(text: AsyncIterable<string | Uint8Array>): AsyncGenerator<RecordedTrace> {
  const { importTracesFrom } = await loadFormats();
  for await (const item of importTracesFrom(text, 'auto')) {
    if (item.reason !== undefined) throw new Error(`line ${item.line}: ${item.reason}`);
    yield await toRecordedTrace(item);
  }
}

async function toRecordedTrace({ trace, blocks }: ImportedTrace): Promise<RecordedTrace> {
  const { id, environment = null, split = null, task_index = null, task_spec = null, metadata = {} } = trace;
  const parent = trace.parent_trace_id ? { parent_trace_id: trace.parent_trace_id } : {};
  const restored = await restoreBlocks(
    blocks.map((block, position) => toStoredBlock(block, id, position)),
    async () => undefined,
  );
  const { messages } = stitch(restored, { assemble: true });
  return { trace: { id, ...parent, environment, split, task_index, task_spec, metadata }, messages };
}

/** Adds the fields that a store adds to an appended block. */
function toStoredBlock(block: BlockInput, trace_id: string, position: number): TraceBlock {
  const time = new Date(position).toISOString();
  // The import has validated the block against the same schema.
  return { raw: null, extra: null, metadata: {}, ...block, trace_id, created_at: time, updated_at: time } as TraceBlock;
}

/**
 * Extracts the episode from a trace.
 *
 * @throws Error with the id of a trace that lacks required parts.
 */
export async function toRecordedEpisode({ trace, messages }: RecordedTrace): Promise<RecordedEpisode> {
  const { id, environment, split, task_index: index, task_spec: task, metadata } = trace;
  const opening = messages.filter(isOfConversation);
  const played = messages.flatMap(({ tool_calls, child_order }) => {
    const byId = new Map(tool_calls.map((call) => [call.id, call]));
    return child_order.flatMap((child) => byId.get(child) ?? []).filter((call) => !isOfConversation(call));
  });
  // Only system messages precede it.
  const prompt = messages.find(({ payload }) => payload.role === 'user');
  if (!prompt && opening.length === 0 && played.length === 0) {
    throw new Error(`${id}: cannot replay a trace without a prompt and calls`);
  }
  const calls = await Promise.all(played.map((call) => toRecordedCall(call, id)));
  const tools = readToolSpecs(metadata.tools);
  return {
    id,
    environment,
    split,
    index,
    task,
    messages: opening.length > 0 ? await toConversation(opening, id) : promptMessages(await promptBlocks(prompt, id)),
    tools,
    terminalTool: readTerminalTool(metadata.terminal_tool) ?? findTerminalTool(calls, tools),
    calls,
  };
}

/** Returns whether a block belongs to the conversation that the agent continued; recorders mark its messages and calls. */
const isOfConversation = ({ extra }: Pick<StitchedMessage, 'extra'>): boolean =>
  ownProperty(extra, 'conversation') === true;

const readToolSpecs = (tools: unknown): ToolSpec[] | undefined =>
  Array.isArray(tools) ? tools.flatMap((tool) => readToolSpec(fieldsOf(tool)) ?? []) : undefined;

function readTerminalTool(value: unknown): TerminalTool | undefined {
  const { name, arg, description } = fieldsOf(value);
  if (typeof name !== 'string') return undefined;
  const about = typeof description === 'string' ? description : '';
  return { name, arg: typeof arg === 'string' ? arg : null, description: about };
}

/** Finds the terminal tool of a trace that does not name it: only such a tool can be called without being listed. */
function findTerminalTool(
  calls: readonly RecordedCall[],
  tools: readonly ToolSpec[] | undefined,
): TerminalTool | undefined {
  if (!tools) return undefined;
  const call = calls.find(({ name, input, outcome }) => {
    return outcome.ok && Object.keys(input).length <= 1 && tools.every((tool) => tool.name !== name);
  });
  return call && { name: call.name, arg: Object.keys(call.input)[0] ?? null, description: '' };
}

/** Returns the messages of a recorded conversation; those of the assistant begin with their reasoning. */
async function toConversation(opening: readonly StitchedMessage[], trace: string): Promise<Message[]> {
  const messages: Message[] = [];
  let results: ToolResultBlock[] = [];
  const addResults = () => {
    if (results.length > 0) messages.push({ role: 'user', blocks: results });
    results = [];
  };
  for (const message of opening) {
    const { role } = message.payload;
    const content = await promptBlocks(message, trace);
    if (role === 'user') {
      messages.push({ role, blocks: [...results, ...content] });
      results = [];
      continue;
    }
    addResults();
    if (role === 'assistant') {
      const calls = message.tool_calls.filter(isOfConversation);
      messages.push({ role, blocks: toAssistantBlocks(message, content, calls, trace) });
      results = await Promise.all(calls.map((call) => toResultBlock(call, trace)));
    } else messages.push({ role: 'system', blocks: [...content] });
  }
  addResults();
  return messages;
}

type AssistantBlock = Extract<Message, { role: 'assistant' }>['blocks'][number];

function toAssistantBlocks(
  { thinks }: StitchedMessage,
  content: readonly Block[],
  calls: readonly StitchedToolCall[],
  trace: string,
): AssistantBlock[] {
  const reasoning = thinks.map(({ payload: { text, signature } }): AssistantBlock => {
    return { type: 'reasoning', text, ...(typeof signature === 'string' && { signature }) };
  });
  const made = calls.map((call): AssistantBlock => {
    const { name, input } = nameAndInput(call, trace);
    return { type: 'tool_call', id: call.payload.call_id ?? call.id, name, input };
  });
  // Recorders write an empty text where a message has only reasoning or calls.
  const isPlaceholder = (block: Block) => block.type === 'text' && block.text === '';
  const shown = reasoning.length + made.length > 0 ? content.filter((block) => !isPlaceholder(block)) : content;
  return [...reasoning, ...shown, ...made];
}

async function toResultBlock(call: StitchedToolCall, trace: string): Promise<ToolResultBlock> {
  const outcome = await toOutcome(call, nameAndInput(call, trace).name, trace);
  const tool_call_id = call.payload.call_id ?? call.id;
  if (outcome.ok) {
    const { result } = outcome;
    const blocks = 'blocks' in result ? [...result.blocks] : [text(result.text)];
    return { type: 'tool_result', tool_call_id, blocks, is_error: false };
  }
  const { value } = call.assembled ?? assemble(call.tool_results);
  const recorded = ownProperty(value, 'blocks');
  const blocks = Array.isArray(recorded)
    ? recorded.flatMap((block) => toOrsBlock(block) ?? [])
    : [text(outcome.reason)];
  return { type: 'tool_result', tool_call_id, blocks, is_error: true };
}

/** Returns the name of a called tool and its input, which is an object, or was rejected. */
function nameAndInput({ payload, extra }: StitchedToolCall, trace: string) {
  // A name that is not valid in a store is in `extra`.
  const original = ownProperty(extra, 'name');
  const name = typeof original === 'string' ? original : payload.name;
  const input: JSONValue = payload.arguments;
  if (isBlob(input)) throw missingBlobError(trace, `the input of a call of '${name}'`);
  return { name, input: isJsonObject(input) ? input : {} };
}

const NO_PROMPT: readonly Block[] = [text('(The prompt of this episode was not recorded.)')];

async function promptBlocks(message: StitchedMessage | undefined, id: string): Promise<readonly Block[]> {
  if (!message) return NO_PROMPT;
  const { content } = message.payload;
  if (typeof content === 'string') return [text(content)];
  const { messageParts } = await loadFormats();
  const blob = async (sha256: string): Promise<never> => {
    throw missingBlobError(id, `an image of the prompt (${sha256})`);
  };
  // Calls have separate blocks.
  const parts = content
    .filter(({ type }) => type !== 'tool_use')
    .map(async (part) => {
      if (part.type === 'text_ref') throw missingBlobError(id, 'a text of the prompt');
      return toOrsBlock(part) ?? piecesToBlocks(await messageParts([part], { blob }));
    });
  return (await Promise.all(parts)).flat();
}

async function toRecordedCall(call: StitchedToolCall, trace: string): Promise<RecordedCall> {
  const { name, input } = nameAndInput(call, trace);
  return { name, input, outcome: await toOutcome(call, name, trace) };
}

async function toOutcome(call: StitchedToolCall, name: string, trace: string): Promise<RecordedOutcome> {
  const { state, value } = call.assembled ?? assemble(call.tool_results);
  if (state === 'pending') return { ok: false, reason: 'the recorded call has no result' };
  if (isBlob(value)) throw missingBlobError(trace, `the output of a call of '${name}'`);
  if (isRecord(value) && value.ok === false) return { ok: false, reason: withoutServerPrefix(value.error, name) };
  const output = isRecord(value) && value.ok === true && isRecord(value.output) ? (value.output as JSONValue) : value;
  if (isRecord(output) && Array.isArray(output.blocks)) return { ok: true, result: toToolResult(output as JSONObject) };
  // Other recorders write rewards to `extra`.
  const extra = fieldsOf(call.tool_results.at(-1)?.extra) as JSONObject;
  const { outputParts } = await loadFormats();
  const blocks = piecesToBlocks(await outputParts(output, { blob: async () => undefined }));
  return { ok: true, result: { blocks, ...rewardFields(extra) } };
}

function toToolResult(output: JSONObject): ToolResult {
  const blocks = (output.blocks as JSONValue[]).map((block) => toOrsBlock(block) ?? text(JSON.stringify(block)));
  // Everything in a trace is JSON.
  const metadata = isRecord(output.metadata) ? (output.metadata as JSONObject) : null;
  return { blocks, metadata, ...rewardFields(output) };
}

const rewardFields = ({ reward, finished }: JSONObject): Pick<ToolResult, 'reward' | 'finished'> => ({
  reward: typeof reward === 'number' ? reward : null,
  finished: finished === true,
});

/** Removes the prefix of a server, because the replaying server adds it again. */
function withoutServerPrefix(error: JSONValue | undefined, name: string): string {
  const reason = typeof error === 'string' ? error : JSON.stringify(error ?? null);
  const prefix = `Tool '${name}' failed: `;
  return reason.startsWith(prefix) ? reason.slice(prefix.length) : reason;
}

const isBlob = (value: JSONValue): boolean => isRecord(value) && typeof value.$blob === 'string';

/** Returns a content part that is an ORS block; undefined for all others. */
function toOrsBlock(part: unknown): Block | undefined {
  if (!isRecord(part)) return undefined;
  const detail = isRecord(part.detail) ? { detail: part.detail as JSONObject } : {};
  if (part.type === 'text' && typeof part.text === 'string') return { ...text(part.text), ...detail };
  if (part.type === 'image' && typeof part.data === 'string' && typeof part.mimeType === 'string') {
    return { ...image(part.data, part.mimeType), ...detail };
  }
  return undefined;
}

/** Converts content of other formats to blocks; an image of which only the URL is known becomes text. */
const piecesToBlocks = (pieces: Awaited<ReturnType<typeof outputParts>>): Block[] =>
  pieces.map((piece) => {
    if (piece.kind === 'text') return text(piece.text);
    const data = parseDataUrl(piece.url);
    return data ? image(data.base64, piece.mediaType || data.mediaType || 'image/png') : text(`[image: ${piece.url}]`);
  });

const missingBlobError = (trace: string, content: string): Error =>
  new Error(`${trace}: ${content} is in a blob, which JSON Lines do not contain; replay the trace from its store`);

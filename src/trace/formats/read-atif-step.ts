import type { JSONObject, JSONValue } from '../../../generated/trace.ts';
import { isJsonObject, isRecord, parseDataUrl } from '../../core/index.ts';
import type { DraftBlock, TraceBuilder } from './trace-builder.ts';

const ROLES = { system: 'system', user: 'user', agent: 'assistant' } as const;

const isSource = (source: unknown): source is keyof typeof ROLES =>
  typeof source === 'string' && Object.hasOwn(ROLES, source);

/** Adds the blocks of one step of an ATIF document; says what is wrong with it, if anything. */
export function addStep(builder: TraceBuilder, step: unknown): string | undefined {
  if (!isJsonObject(step)) return 'must be an object';
  const { source, message = '', reasoning_content, tool_calls, observation, ...others } = step;
  if (!isSource(source)) return 'must have the source system, user or agent';
  if (typeof message !== 'string' && !Array.isArray(message)) return 'must have a message of text or parts';
  const calls = listOf(tool_calls);
  const results = isRecord(observation) ? listOf(observation.results) : [];
  if (calls === undefined) return 'must have tool_calls that are objects';
  if (results === undefined) return 'must have an observation with results that are objects';
  const isReport = source === 'system' && message === '' && results.length > 0;
  const isOfCalls = results.every(({ source_call_id }) => builder.findCall(source_call_id) !== undefined);
  const about = atif(others);
  // Some agents tell the results of calls in a step of the system that says nothing.
  if (!(isReport && isOfCalls)) {
    const output = builder.message(ROLES[source], contentOf(message, calls), about);
    if (typeof reasoning_content === 'string' && reasoning_content !== '') builder.think(output, reasoning_content);
    for (const call of calls) addCall(builder, output, call);
  }
  for (const result of results) addResult(builder, result, { source, rewards: rewardsOf(others.extra) });
  return undefined;
}

function listOf(value: JSONValue | undefined): JSONObject[] | undefined {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every(isJsonObject) ? value : undefined;
}

/** What blocks have no field for; null where there is nothing. */
const atif = (others: JSONObject): JSONObject | null => (Object.keys(others).length > 0 ? { atif: others } : null);

/** A message may be empty there; here it announces its calls, or is a part without text. */
function contentOf(message: string | JSONValue[], calls: readonly JSONObject[]): JSONValue {
  if (message.length > 0) return typeof message === 'string' ? message : message.map(partOf);
  if (calls.length === 0) return [{ type: 'text', text: '' }];
  return calls.map((call) => ({
    type: 'tool_use',
    id: call.tool_call_id ?? null,
    name: call.function_name ?? null,
  }));
}

/** Images whose bytes are there as ORS writes them; others, and text, as they are. */
function partOf(part: JSONValue): JSONValue {
  if (!isRecord(part) || part.type !== 'image' || !isRecord(part.source)) return part;
  const { media_type, path } = part.source;
  const data = typeof path === 'string' ? parseDataUrl(path) : undefined;
  return data && typeof media_type === 'string' ? { type: 'image', data: data.base64, mimeType: media_type } : part;
}

function addCall(builder: TraceBuilder, output: DraftBlock, call: JSONObject): void {
  const { tool_call_id: id, function_name: name, arguments: given, ...others } = call;
  builder.call(output, { id, name, arguments: given }, atif(others));
}

interface AtifStepContext {
  readonly source: keyof typeof ROLES;
  readonly rewards: ReadonlyMap<unknown, number>;
}

/** A result that no call asked for is what the model reads next. */
function addResult(builder: TraceBuilder, result: JSONObject, { source, rewards }: AtifStepContext): void {
  const { source_call_id, content = null, ...others } = result;
  const call = builder.findCall(source_call_id);
  if (call) {
    const reward = rewards.get(source_call_id);
    const extra = { ...atif(others), ...(reward === undefined ? {} : { reward }) };
    const output = Array.isArray(content) ? content.map(partOf) : content;
    builder.result(call, output, Object.keys(extra).length > 0 ? extra : null);
    return;
  }
  const text = typeof content === 'string' || Array.isArray(content) ? content : JSON.stringify(content);
  const about = { observation: true, ...(source_call_id === undefined ? {} : { source_call_id }), ...others };
  builder.message(source === 'agent' ? 'user' : ROLES[source], contentOf(text, []), { atif: about });
}

/** As exports of ours write them beside a step. */
function rewardsOf(extra: JSONValue | undefined): ReadonlyMap<unknown, number> {
  const rewards = isRecord(extra) && Array.isArray(extra.rewards) ? extra.rewards : [];
  return new Map(
    rewards.flatMap((each) =>
      isRecord(each) && typeof each.reward === 'number' ? [[each.source_call_id, each.reward] as const] : [],
    ),
  );
}

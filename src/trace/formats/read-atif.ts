import type { BlockInput, JSONObject, JSONValue } from '../../../generated/trace.ts';
import { isJsonObject, isRecord, parseDataUrl } from '../../core/index.ts';
import { sha256OfJson } from '../../core/node/index.ts';
import { toToolSpecs } from './conversation-parts.ts';
import {
  type ImportedTrace,
  type ImportItem,
  type LineImporter,
  storedToTraceInput,
  toBlockInput,
} from './imported.ts';
import { announcements, type DraftBlock, TraceBuilder } from './trace-builder.ts';

type Document = Readonly<Record<string, unknown>>;

/**
 * Reads ATIF documents, versions 1.x. An export of this package with unchanged steps restores the original trace. Others
 * become a trace with an id derived from the content, so that a repeated import finds it; fields without a counterpart go
 * to `extra.atif` of the block and `metadata.imported` of the trace. Trajectories of subagents become separate traces.
 */
export const atifImporter: LineImporter = { readLine: readDocument };

function* readDocument(line: number, document: Document): Generator<ImportItem> {
  const { schema_version, steps, subagent_trajectories } = document;
  if (typeof schema_version !== 'string' || !schema_version.startsWith('ATIF-v1.') || !Array.isArray(steps)) {
    const reason = 'the line is not an ATIF document: it needs schema_version ATIF-v1.x and steps';
    yield { line, trace_id: null, reason };
    return;
  }
  const original = originalOf(line, document);
  if (original) yield original;
  else yield* fromSteps(line, document, steps);
  const others = Array.isArray(subagent_trajectories) ? subagent_trajectories.filter(isRecord) : [];
  for (const other of others) yield* readDocument(line, other);
}

/** Returns the original trace of an export of this package, if its steps are unchanged. */
function originalOf(line: number, { steps, extra }: Document): ImportedTrace | undefined {
  const original = isRecord(extra) ? extra.ors_kit : undefined;
  if (!isRecord(original) || !Array.isArray(original.blocks)) return undefined;
  if (original.steps_sha256 !== sha256OfJson(steps)) return undefined;
  const { value: trace } = storedToTraceInput(original.trace);
  if (!trace) return undefined;
  const blocks: BlockInput[] = [];
  for (const stored of original.blocks) {
    const { value: block } = toBlockInput(stored, trace.id);
    if (!block) return undefined;
    blocks.push(block);
  }
  return { line, trace, blocks };
}

/** Converts the steps to a trace. Invalid steps are reported, and the trace is imported with the others. */
function* fromSteps(line: number, document: Document, steps: readonly unknown[]): Generator<ImportItem> {
  const hash = sha256OfJson(document).slice(0, 32);
  const builder = new TraceBuilder();
  for (const [index, step] of steps.entries()) {
    const reason = addStep(builder, step);
    if (reason !== undefined) yield { line, trace_id: `tr_${hash}`, reason: `steps[${index}] ${reason}` };
  }
  if (builder.drafts.length > 0 || steps.length === 0) yield* builder.finish(line, hash, aboutTrace(document));
}

function aboutTrace(document: Document): Omit<ImportedTrace['trace'], 'id'> {
  const { steps: _steps, subagent_trajectories: _others, extra, ...about } = document;
  const agent = isRecord(about.agent) ? about.agent : {};
  const tools = toToolSpecs(agent.tool_definitions);
  const own = isJsonObject(extra) ? withoutOriginal(extra) : extra;
  // The fields were parsed from JSON.
  const imported = {
    format: 'atif',
    ...about,
    ...(own === undefined ? {} : { extra: own as JSONValue }),
  } as JSONObject;
  return {
    name: typeof about.session_id === 'string' ? about.session_id : null,
    model: typeof agent.model_name === 'string' ? agent.model_name : null,
    status: 'finished',
    metadata: { imported, ...(tools.length > 0 ? { tools } : {}) },
    rollout_info: typeof agent.name === 'string' ? { harness: agent.name } : {},
  };
}

/** Drops the original blocks, which are outdated because the steps were changed. */
function withoutOriginal({ ors_kit: _outdated, ...extra }: JSONObject): JSONObject {
  return extra;
}

const ROLES = { system: 'system', user: 'user', agent: 'assistant' } as const;

const isSource = (source: unknown): source is keyof typeof ROLES =>
  typeof source === 'string' && Object.hasOwn(ROLES, source);

/** Adds the blocks of one step. Returns the reason if it is invalid. */
function addStep(builder: TraceBuilder, step: unknown): string | undefined {
  if (!isJsonObject(step)) return 'must be an object';
  const { source, message = '', reasoning_content, tool_calls, observation, ...others } = step;
  if (!isSource(source)) return 'must have the source system, user or agent';
  if (typeof message !== 'string' && !Array.isArray(message)) return 'must have a message of text or parts';
  const calls = listOf(tool_calls);
  const results = isRecord(observation) ? listOf(observation.results) : [];
  if (calls === undefined) return 'must have tool_calls that are objects';
  if (results === undefined) return 'must have an observation with results that are objects';
  const isReport = source === 'system' && message === '' && results.length > 0;
  const isOfCalls = results.every(({ source_call_id }) => builder.hasCall(source_call_id));
  const about = atif(others);
  // Some agents report the results of calls in an empty step of the system.
  if (!(isReport && isOfCalls)) {
    const output = builder.message(ROLES[source], contentOf(message, calls), about);
    if (typeof reasoning_content === 'string' && reasoning_content !== '') builder.think(output, reasoning_content);
    for (const call of calls) addCall(builder, output, call);
  }
  const mayOmitId = calls.some(({ tool_call_id: id }) => !hasId(id));
  for (const result of results) addResult(builder, result, { source, rewards: rewardsOf(others.extra), mayOmitId });
  return undefined;
}

const hasId = (id: JSONValue | undefined): boolean => typeof id === 'string' && id !== '';

function listOf(value: JSONValue | undefined): JSONObject[] | undefined {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every(isJsonObject) ? value : undefined;
}

/** Returns fields without a counterpart in blocks, or null. */
const atif = (others: JSONObject): JSONObject | null => (Object.keys(others).length > 0 ? { atif: others } : null);

/** Returns a content that is not empty: an empty message announces its calls, or has an empty text part. */
function contentOf(message: string | JSONValue[], calls: readonly JSONObject[]): JSONValue {
  if (message.length > 0) return typeof message === 'string' ? message : message.map(partOf);
  return announcements(calls.map(({ tool_call_id: id, function_name: name }) => ({ id, name })));
}

/** Converts images with data URLs to ORS images; other parts are unchanged. */
function partOf(part: JSONValue): JSONValue {
  if (!isRecord(part) || part.type !== 'image' || !isRecord(part.source)) return part;
  const { media_type, path } = part.source;
  const data = typeof path === 'string' ? parseDataUrl(path) : undefined;
  return data && typeof media_type === 'string' ? { type: 'image', data: data.base64, mimeType: media_type } : part;
}

function addCall(builder: TraceBuilder, output: DraftBlock, call: JSONObject): void {
  const { tool_call_id: id, function_name: name, arguments: args, ...others } = call;
  builder.call(output, { id, name, arguments: args }, atif(others));
}

interface AtifStepContext {
  readonly source: keyof typeof ROLES;
  readonly rewards: ReadonlyMap<unknown, number>;
  /** True if the step has calls without an id; otherwise a result without an id has no call. */
  readonly mayOmitId: boolean;
}

/** Adds a result; one without a call becomes a message, which the model reads next. */
function addResult(builder: TraceBuilder, result: JSONObject, { source, rewards, mayOmitId }: AtifStepContext): void {
  const { source_call_id, content = null, ...others } = result;
  const call = hasId(source_call_id) || mayOmitId ? builder.takeCall(source_call_id) : undefined;
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

/** Returns the rewards that exports of this package add to a step, by the id of the call. */
function rewardsOf(extra: JSONValue | undefined): ReadonlyMap<unknown, number> {
  const rewards = isRecord(extra) && Array.isArray(extra.rewards) ? extra.rewards : [];
  return new Map(
    rewards.flatMap((each) =>
      isRecord(each) && typeof each.reward === 'number' ? [[each.source_call_id, each.reward] as const] : [],
    ),
  );
}

import type {
  Block,
  BlockInput,
  JSONObject,
  JSONValue,
  SubType,
  TraceId,
  ValidationIssue,
} from '../../../generated/trace.ts';
import {
  canonicalJson,
  ExactNumber,
  isJsonObject,
  isRecord,
  JsonSyntaxError,
  jsonTypeOf,
  parseJson,
  pointerSegment,
  typePhrase,
  uniqueName,
  utf8Length,
} from '../../core/index.ts';
import { isBlockId, newBlockId } from './ids.ts';

/** Block type of each sub type. Source: trace data model, block_type. */
const BLOCK_TYPES = {
  MESSAGE: 'MESSAGE',
  TOOL_CALL: 'ACT',
  THINK: 'ACT',
  TOOL_RESULT: 'OBSERVE',
} as const satisfies Record<SubType, Block['block_type']>;

const FIELDS = ['id', 'trace_id', 'block_type', 'sub_type', 'payload', 'parent_block_id', 'metadata', 'raw', 'extra'];
const STORE_FIELDS = ['created_at', 'updated_at'];

/**
 * Checks the rules that need no other block and no limits: V1 to V8 and V10.
 *
 * @param block as it was sent, so that arguments may be text.
 */
export function validateBlock(block: unknown, traceId: TraceId, report: ReportIssue): void {
  if (!isRecord(block)) {
    report('', 'type', 'an object', describeValueKind(block));
    return;
  }
  checkFields(block, report);
  checkIds(block, traceId, report);
  const { sub_type, block_type, payload } = block;
  if (!isSubType(sub_type)) {
    report('/sub_type', 'enum', 'MESSAGE, TOOL_CALL, TOOL_RESULT or THINK', formatShortValue(sub_type));
  } else if (block_type !== undefined && block_type !== BLOCK_TYPES[sub_type]) {
    report('/block_type', 'block_type_mismatch', `${BLOCK_TYPES[sub_type]} or left out`, formatShortValue(block_type));
  }
  if (!isRecord(payload)) report('/payload', 'type', 'an object', describeValueKind(payload));
  else if (isSubType(sub_type)) payloadRules[sub_type](payload, report);
  if (isSubType(sub_type)) checkParent(sub_type, block.parent_block_id, report);
}

function checkFields(block: Readonly<Record<string, unknown>>, report: ReportIssue): void {
  for (const [field, value] of Object.entries(block)) {
    if (FIELDS.includes(field)) continue;
    if (STORE_FIELDS.includes(field))
      report(pointerSegment(field), 'read_only', 'left to the store', describeValueKind(value));
    else report(pointerSegment(field), 'unknown_field', `one of ${FIELDS.join(', ')}`, describeValueKind(value));
  }
}

function checkIds({ id, trace_id }: Readonly<Record<string, unknown>>, traceId: TraceId, report: ReportIssue): void {
  if (id !== undefined && !isBlockId(id)) report('/id', 'id_format', BLOCK_ID_TEXT, formatShortValue(id));
  if (trace_id !== undefined && trace_id !== traceId) {
    report('/trace_id', 'trace_id_mismatch', `${traceId}, as in the path, or left out`, formatShortValue(trace_id));
  }
}

function checkParent(subType: SubType, parent: unknown, report: ReportIssue): void {
  const path = '/parent_block_id';
  const isAbsent = isNothing(parent);
  if (subType === 'MESSAGE') {
    if (!isAbsent) report(path, 'parent_forbidden', 'left out: a MESSAGE has no parent', formatShortValue(parent));
  } else if (isAbsent) {
    report(path, 'parent_required', `the id of a ${PARENT_SUB_TYPES[subType]}`, describeValueKind(parent));
  } else if (!isBlockId(parent)) {
    report(path, 'parent_format', BLOCK_ID_TEXT, formatShortValue(parent));
  }
}

/** Required sub type of the parent. Source: trace data model, invariants. */
export const PARENT_SUB_TYPES = { TOOL_CALL: 'MESSAGE', THINK: 'MESSAGE', TOOL_RESULT: 'TOOL_CALL' } as const;

const BLOCK_ID_TEXT = 'tb_ and 1 to 64 letters, digits, - or _';

const isSubType = (value: unknown): value is SubType => typeof value === 'string' && Object.hasOwn(BLOCK_TYPES, value);

type RulePayload = Readonly<Record<string, unknown>>;

const ROLES: readonly unknown[] = ['system', 'user', 'assistant'];
const NAME = /^[^\s\p{Cc}]([^\p{Cc}]*[^\s\p{Cc}])?$/u;
const MAX_NAME_BYTES = 256;
/** Maximum size of the id of a call, in bytes of UTF-8. */
export const MAX_CALL_ID_BYTES = 256;

/** Checks the payload of each sub type: rules V4 to V8, without sizes. */
const payloadRules: Readonly<Record<SubType, (payload: RulePayload, report: ReportIssue) => void>> = {
  MESSAGE: checkMessage,
  TOOL_CALL: checkToolCall,
  THINK: checkThink,
  TOOL_RESULT: checkToolResult,
};

function checkMessage({ role, content }: RulePayload, report: ReportIssue): void {
  if (!ROLES.includes(role)) report('/payload/role', 'role', 'system, user or assistant', formatShortValue(role));
  if (isNothing(content) || content === '' || (Array.isArray(content) && content.length === 0)) {
    report('/payload/content', 'content_empty', 'text or a list of parts, and not empty', describeValueKind(content));
  } else if (Array.isArray(content)) {
    for (const [index, part] of content.entries()) checkPart(part, `/payload/content/${index}`, report);
  } else if (typeof content !== 'string') {
    report('/payload/content', 'type', 'text or a list of parts', describeValueKind(content));
  }
}

function checkPart(part: unknown, path: string, report: ReportIssue): void {
  if (!isRecord(part)) report(path, 'type', 'an object with a type', describeValueKind(part));
  else if (typeof part.type !== 'string' || part.type === '') {
    report(`${path}/type`, 'type', 'a string, and not empty', describeValueKind(part.type));
  }
}

function checkToolCall({ name, arguments: args, call_id }: RulePayload, report: ReportIssue): void {
  if (!isToolName(name)) {
    const expected = `a name of 1 to ${MAX_NAME_BYTES} bytes without control characters and outer white space`;
    report('/payload/name', 'name', expected, formatShortValue(name));
  }
  if (args === undefined) {
    report('/payload/arguments', 'arguments_required', 'a JSON value, or text of one', 'nothing');
  } else if (typeof args === 'string') {
    const { issue } = parseArguments(args);
    if (issue) report('/payload/arguments', ...issue);
  }
  checkCallId(call_id, report);
}

/** Leaves room for the number of a repeated id. */
const MAX_PROVIDER_ID_BYTES = MAX_CALL_ID_BYTES - 16;

/**
 * Returns a valid `call_id` that no other call has: the id of a provider, or one derived from it if it is repeated.
 *
 * @param name used if the provider sent no id, or one that is too long. @default `call`
 */
export function uniqueCallId(id: string, isTaken: (id: string) => boolean, name = ''): string {
  const base = [id, name].find((each) => each !== '' && utf8Length(each) <= MAX_PROVIDER_ID_BYTES);
  return uniqueName(base ?? 'call', isTaken, { separator: '#' });
}

/** Returns true for a valid tool name. */
export const isToolName = (name: unknown): name is string =>
  typeof name === 'string' && NAME.test(name) && utf8Length(name) <= MAX_NAME_BYTES;

/** Returns the name of a tool call; an invalid name of a model becomes `unnamed`, with the original in `extra.name`. */
export const toToolName = (name: string): { readonly name: string; readonly extra?: JSONObject } =>
  isToolName(name) ? { name } : { name: 'unnamed', extra: { name } };

function checkThink({ text }: RulePayload, report: ReportIssue): void {
  if (isNothing(text) || text === '')
    report('/payload/text', 'text_empty', 'text, and not empty', describeValueKind(text));
  else if (typeof text !== 'string') report('/payload/text', 'type', 'text', describeValueKind(text));
}

function checkToolResult({ output, delta, seq, call_id }: RulePayload, report: ReportIssue): void {
  const isOutput = !isNothing(output) || (output === null && delta === undefined);
  if (isOutput !== isNothing(delta)) {
    const got = `output ${describeValueKind(output)} and delta ${describeValueKind(delta)}`;
    report('/payload', 'output_xor_delta', 'an object with exactly one of output and delta', got);
  }
  if (!isNothing(seq) && !isSeq(seq)) {
    const expected = `a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, or null`;
    report('/payload/seq', 'seq', expected, formatShortValue(seq));
  }
  checkCallId(call_id, report);
}

function checkCallId(callId: unknown, report: ReportIssue): void {
  if (callId === undefined) return;
  if (typeof callId === 'string' && callId !== '' && utf8Length(callId) <= MAX_CALL_ID_BYTES) return;
  report('/payload/call_id', 'call_id', `a string of 1 to ${MAX_CALL_ID_BYTES} bytes`, formatShortValue(callId));
}

const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;

/** Returns true for a valid `seq`: an integer from 0. */
export const isSeq = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Leaves room for the levels of block and batch within the 512 levels of a request. */
const MAX_DEPTH = 500;

type ArgumentsIssue = Parameters<ReportIssue> extends [string, ...infer Rest] ? Rest : never;

/** Result of `parseArguments`: the value, or the rule that the text breaks. */
type ParsedArguments =
  | { readonly value: JSONValue; readonly issue?: never }
  | { readonly issue: ArgumentsIssue; readonly value?: never };

/**
 * Parses tool arguments written as JSON text; empty text means `{}`. Numbers that a double would change are kept as
 * `ExactNumber`.
 */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { value: {} };
  try {
    // Parsed from JSON.
    return { value: parseJson(text, { depth: MAX_DEPTH, exactNumbers: true }).value as JSONValue };
  } catch (error) {
    return { issue: ['arguments_not_json', ...describeSyntax(error)] };
  }
}

function describeSyntax(error: unknown): [expected: string, got: string] {
  if (!(error instanceof JsonSyntaxError)) throw error;
  if (error.reason === 'depth') return [`JSON of at most ${MAX_DEPTH} levels`, 'text nested deeper'];
  if (error.reason === 'structures') return ['JSON of at most 1,000,000 arrays, objects and keys', 'text with more'];
  return ['a JSON value, or text of one', 'other text'];
}

/** Names of rules in `details.issues`. */
type IssueRule =
  | 'arguments_not_json'
  | 'arguments_required'
  | 'batch_size'
  | 'block_type_mismatch'
  | 'call_id'
  | 'call_id_mismatch'
  | 'content_empty'
  | 'depth'
  | 'enum'
  | 'id_format'
  | 'name'
  | 'output_xor_delta'
  | 'parent_forbidden'
  | 'parent_format'
  | 'parent_not_in_trace'
  | 'parent_required'
  | 'read_only'
  | 'role'
  | 'seq'
  | 'text_empty'
  | 'trace_id_mismatch'
  | 'type'
  | 'unknown_field';

/** Records that the value at a path breaks a rule; `got` is the type of the value or a short form of it. */
export type ReportIssue = (path: string, rule: IssueRule, expected: string, got: string) => void;

const MAX_SHOWN = 80;
const MAX_PATH = 200;

/** Creates an issue. @param index position in the batch, undefined if the request is one block. */
export function createIssue(
  index: number | undefined,
  [path, rule, expected, got]: Parameters<ReportIssue>,
): ValidationIssue & { readonly rule: IssueRule } {
  const shortPath = path.slice(0, MAX_PATH).toWellFormed();
  return { ...(index === undefined ? {} : { index }), path: shortPath, rule, expected, got };
}

/** Returns the type of a value as a phrase, without its content. */
export function describeValueKind(value: unknown): string {
  const type = jsonTypeOf(value);
  return type === undefined ? 'nothing' : typePhrase(type);
}

/** Returns a string, number or boolean as JSON of at most 80 characters, and the type of any other value. */
export function formatShortValue(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return describeValueKind(value);
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_SHOWN) : value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
}

type StoreField = 'metadata' | 'created_at' | 'updated_at';
type OmitStoreFields<B> = B extends Block ? Omit<B, StoreField> : never;

/** A valid block without the times that the store adds. */
export type NewBlock = OmitStoreFields<Block> & {
  /** Undefined if the client sent none. */
  readonly metadata?: JSONValue | undefined;
};

/**
 * Parses the arguments of a tool call if they are JSON text. Returns every other value unchanged, and text that is not
 * JSON.
 */
export function withParsedArguments(block: unknown): unknown {
  if (!isRecord(block) || block.sub_type !== 'TOOL_CALL' || !isRecord(block.payload)) return block;
  if (typeof block.payload.arguments !== 'string') return block;
  const { value } = parseArguments(block.payload.arguments);
  return value === undefined ? block : { ...block, payload: { ...block.payload, arguments: value } };
}

/** Inverse of `withParsedArguments`: returns a stored block so that it can be written again. */
export function withWritableArguments<B>(block: B): B {
  if (!isRecord(block) || block.sub_type !== 'TOOL_CALL' || !isRecord(block.payload)) return block;
  const { arguments: args } = block.payload;
  if (typeof args !== 'string') return block;
  return { ...block, payload: { ...block.payload, arguments: JSON.stringify(args) } } as B;
}

/** Fills in the optional fields of a validated block. */
export function toNewBlock(input: BlockInput, traceId: TraceId): NewBlock {
  const { id = newBlockId(), sub_type, payload, parent_block_id = null, metadata, raw = null, extra = null } = input;
  const block_type = BLOCK_TYPES[sub_type];
  // validateBlock() has checked that payload and parent match the sub type.
  return { id, trace_id: traceId, block_type, sub_type, parent_block_id, payload, metadata, raw, extra } as NewBlock;
}

/** Field of `metadata` in which the store notes the API key of a write. */
const KEY_FIELD = 'key_id';

/** Adds the annotations of the store to the metadata that the client sent, unless that is not an object. */
export function annotateMetadata(sent: JSONValue | undefined, annotations: JSONObject): JSONValue {
  if (sent === undefined || (sent === null && Object.keys(annotations).length > 0)) return annotations;
  return isJsonObject(sent) && !(sent instanceof ExactNumber) ? { ...sent, ...annotations } : sent;
}

/** Returns the metadata that the client sent, without the annotations of the store; undefined if it was empty. */
export function sentMetadata(metadata: unknown): unknown {
  if (!isRecord(metadata) || metadata instanceof ExactNumber) return metadata ?? undefined;
  const { [KEY_FIELD]: _, ...sent } = metadata;
  return Object.keys(sent).length > 0 ? sent : undefined;
}

/**
 * Serializes the fields that the client chose, so that equal blocks have equal text. Ignores the order of keys, the
 * difference between null and absent fields, and a block_type that follows from the sub_type.
 */
export function canonicalContent(block: unknown, traceId: TraceId): string {
  if (!isRecord(block)) return canonicalJson(block);
  const { id: _, trace_id, block_type, parent_block_id, metadata, raw, extra, ...rest } = block;
  const expected = BLOCK_TYPES[block.sub_type as keyof typeof BLOCK_TYPES];
  const chosen = Object.entries({
    ...rest,
    trace_id: trace_id === traceId ? undefined : trace_id,
    block_type: block_type === expected ? undefined : block_type,
    parent_block_id: parent_block_id ?? undefined,
    metadata: sentMetadata(metadata),
    raw: raw ?? undefined,
    extra: extra ?? undefined,
  });
  return canonicalJson(Object.fromEntries(chosen));
}

// generated from trace.schema.json by ors generate; never edit

/**
 * Anything that travels between a client and a trace store. Refer to one definition at a time (#/$defs/Block), never to this document as a whole.
 */
export type TraceMessage =
  | BlockInput
  | Block
  | Trace
  | StitchedTrace
  | TraceError
  | TraceInput
  | TracePatch
  | TraceList
  | BlockWrite
  | BatchReceipt
  | DryRun
  | BlockList
  | BlockHitList
  | RunList
  | RunStats
  | GroupList
  | Access
  | BlobReceipt
  | ImportReport
  | StitchedSkeleton
  | RolloutEvents
  | RolloutReceipt
  | RolloutRun
  | Rollout;
/**
 * What a client writes; sub_type tells which. The block_type follows from it and may be left out; metadata, created_at and updated_at belong to the store and are refused.
 */
export type BlockInput = MessageBlockInput | ToolCallBlockInput | ThinkBlockInput | ToolResultBlockInput;
/**
 * Id of a block. A client may choose it, so that a repeated write stores one block.
 */
export type BlockId = string;
/**
 * Id of a trace. A client may choose it; one made by the store sorts by time.
 */
export type TraceId = string;
/**
 * Any JSON value.
 */
export type JSONValue = string | number | boolean | null | JSONObject | JSONValue[];
/**
 * Id of a tool call, chosen by the client and unique within its trace. At most 256 bytes of UTF-8.
 */
export type CallId = string;
/**
 * Name of a tool: at most 256 bytes of UTF-8, no control characters, no white space at either end.
 */
export type ToolName = string;
/**
 * The result of a call, whole or one piece of it: exactly one of output and delta.
 */
export type ToolResultPayload = ToolResultOutput | ToolResultDelta;
/**
 * Place among the results of one call, from 0; null or absent sorts last.
 */
export type Seq = number | null;
/**
 * A row of trace_blocks; sub_type tells which. Never changed once written, so updated_at equals created_at.
 */
export type Block = MessageBlock | ToolCallBlock | ThinkBlock | ToolResultBlock;
/**
 * RFC 3339 time in UTC with microseconds, such as 2025-03-01T12:00:00.000001Z: sorts as text.
 */
export type Timestamp = string;
/**
 * How far the agent run is: finished when the episode said so, error when it failed, abandoned when it was deleted before.
 */
export type TraceStatus = "running" | "finished" | "error" | "abandoned";
/**
 * Why a request was refused.
 */
export type Failure =
  ValidationFailure | PayloadTooLarge | ParentSubtypeMismatch | DuplicateCallId | DuplicateResultSeq | OtherFailure;
/**
 * Meaning of a block.
 */
export type SubType = "MESSAGE" | "TOOL_CALL" | "TOOL_RESULT" | "THINK";
/**
 * One block, or up to 1000 that are written all or none; a block may name one before it as its parent.
 */
export type BlockWrite = BlockInput | BlockBatch;
/**
 * A rollout that begins, a message of it, or what was learned of it afterwards; eventType tells which.
 */
export type RolloutEvent = RolloutStarted | RolloutMessage | RolloutUpdate;

/**
 * A message to write. It has no parent.
 */
export interface MessageBlockInput {
  id?: BlockId;
  trace_id?: TraceId;
  block_type?: "MESSAGE";
  sub_type: "MESSAGE";
  payload: MessagePayload;
  parent_block_id?: null;
  raw?: JSONValue;
  extra?: JSONObject | null;
}
/**
 * What was said, and by whom. The content is limited to 65536 bytes (LIMIT_MSG_BYTES).
 */
export interface MessagePayload {
  role: "system" | "user" | "assistant";
  /**
   * Text, or parts in order; never empty. White space alone is content.
   */
  content: string | [ContentPart, ...ContentPart[]];
  [k: string]: unknown;
}
/**
 * One part of a message's content, such as an ORS block; its other fields depend on its type.
 */
export interface ContentPart {
  type: string;
  [k: string]: unknown;
}
/**
 * Any JSON object.
 */
export interface JSONObject {
  [k: string]: JSONValue;
}
/**
 * A tool call to write, under a message of the same trace.
 */
export interface ToolCallBlockInput {
  id?: BlockId;
  trace_id?: TraceId;
  block_type?: "ACT";
  sub_type: "TOOL_CALL";
  payload: ToolCallPayloadInput;
  parent_block_id: BlockId;
  raw?: JSONValue;
  extra?: JSONObject | null;
}
/**
 * A call of a tool, as written. Model providers give the arguments as JSON text; it is parsed and stored as an object.
 */
export interface ToolCallPayloadInput {
  call_id?: CallId;
  name: ToolName;
  /**
   * An object, or text that parses to one.
   */
  arguments: JSONObject | string;
  [k: string]: unknown;
}
/**
 * A step of reasoning to write, under a message of the same trace.
 */
export interface ThinkBlockInput {
  id?: BlockId;
  trace_id?: TraceId;
  block_type?: "ACT";
  sub_type: "THINK";
  payload: ThinkPayload;
  parent_block_id: BlockId;
  raw?: JSONValue;
  extra?: JSONObject | null;
}
/**
 * A step of reasoning. The text is limited to 32768 bytes (LIMIT_THINK_BYTES).
 */
export interface ThinkPayload {
  text: string;
  [k: string]: unknown;
}
/**
 * A tool result to write, under a tool call of the same trace.
 */
export interface ToolResultBlockInput {
  id?: BlockId;
  trace_id?: TraceId;
  block_type?: "OBSERVE";
  sub_type: "TOOL_RESULT";
  payload: ToolResultPayload;
  parent_block_id: BlockId;
  raw?: JSONValue;
  extra?: JSONObject | null;
}
/**
 * The whole result of a call. A null delta counts as absent, unless the output is null too. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).
 */
export interface ToolResultOutput {
  call_id?: CallId;
  output: JSONValue;
  delta?: null;
  seq?: Seq;
  [k: string]: unknown;
}
/**
 * One streamed piece of a call's result. A null output counts as absent. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).
 */
export interface ToolResultDelta {
  call_id?: CallId;
  /**
   * Text or list items, to be joined in the order of seq.
   */
  delta: string | JSONValue[];
  output?: null;
  seq?: Seq;
  [k: string]: unknown;
}
/**
 * A message as stored: a root of the trace's tree.
 */
export interface MessageBlock {
  id: BlockId;
  trace_id: TraceId;
  block_type: "MESSAGE";
  sub_type: "MESSAGE";
  payload: MessagePayload;
  parent_block_id: null;
  metadata: JSONObject;
  raw: JSONValue;
  extra: JSONObject | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}
/**
 * A tool call as stored; its parent is a message.
 */
export interface ToolCallBlock {
  id: BlockId;
  trace_id: TraceId;
  block_type: "ACT";
  sub_type: "TOOL_CALL";
  payload: ToolCallPayload;
  parent_block_id: BlockId;
  metadata: JSONObject;
  raw: JSONValue;
  extra: JSONObject | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}
/**
 * A call of a tool, as stored. The arguments are limited to 262144 bytes (LIMIT_TOOL_ARGS_BYTES).
 */
export interface ToolCallPayload {
  call_id?: CallId;
  name: ToolName;
  arguments: JSONObject;
  [k: string]: unknown;
}
/**
 * A step of reasoning as stored; its parent is a message.
 */
export interface ThinkBlock {
  id: BlockId;
  trace_id: TraceId;
  block_type: "ACT";
  sub_type: "THINK";
  payload: ThinkPayload;
  parent_block_id: BlockId;
  metadata: JSONObject;
  raw: JSONValue;
  extra: JSONObject | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}
/**
 * A tool result as stored; its parent is a tool call.
 */
export interface ToolResultBlock {
  id: BlockId;
  trace_id: TraceId;
  block_type: "OBSERVE";
  sub_type: "TOOL_RESULT";
  payload: ToolResultPayload;
  parent_block_id: BlockId;
  metadata: JSONObject;
  raw: JSONValue;
  extra: JSONObject | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}
/**
 * The log of one agent run, without its blocks. The counters cover every block that is stored.
 */
export interface Trace {
  id: TraceId;
  name: string | null;
  /**
   * The training or evaluation run that it belongs to.
   */
  run: string | null;
  environment: string | null;
  variant: string | null;
  split: string | null;
  task_index: number | null;
  task_spec: JSONObject | null;
  /**
   * SHA-256 of the canonical task_spec, in lower-case hex.
   */
  task_key: string | null;
  /**
   * Rollouts of one task that are compared with each other.
   */
  group_id: string | null;
  /**
   * Training step.
   */
  step: number | null;
  /**
   * Place in its group.
   */
  rollout_index: number | null;
  model: string | null;
  status: TraceStatus;
  tags: string[];
  metadata: JSONObject;
  run_info: JSONObject;
  rollout_info: JSONObject;
  /**
   * Sum of extra.reward over the blocks; null while there is none.
   */
  reward_sum: number | null;
  reward_last: number | null;
  reward_max: number | null;
  reward_count: number;
  block_count: number;
  /**
   * Stored bytes of the blocks.
   */
  bytes: number;
  /**
   * Tool results that report a failure.
   */
  error_count: number;
  created_at: Timestamp;
  finished_at: Timestamp | null;
  updated_at: Timestamp;
}
/**
 * A trace as a tree: messages, under each its thoughts and tool calls, under each call its results. Every list is ordered by payload.seq (null last), created_at, id.
 */
export interface StitchedTrace {
  trace: Trace;
  messages: StitchedMessage[];
  orphans: Orphans;
  page: Page;
}
/**
 * A message with its thoughts and tool calls. The child_order keeps how the two interleave.
 */
export interface StitchedMessage {
  id: BlockId;
  trace_id: TraceId;
  block_type: "MESSAGE";
  sub_type: "MESSAGE";
  payload: MessagePayload;
  parent_block_id: null;
  metadata: JSONObject;
  raw: JSONValue;
  extra: JSONObject | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  thinks: ThinkBlock[];
  tool_calls: StitchedToolCall[];
  child_order: BlockId[];
}
/**
 * A tool call with its results, ordered by seq (null last), created_at, id.
 */
export interface StitchedToolCall {
  id: BlockId;
  trace_id: TraceId;
  block_type: "ACT";
  sub_type: "TOOL_CALL";
  payload: ToolCallPayload;
  parent_block_id: BlockId;
  metadata: JSONObject;
  raw: JSONValue;
  extra: JSONObject | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  tool_results: ToolResultBlock[];
  assembled?: AssembledResult;
}
/**
 * The results of one call joined: the last output if there is one (complete), else the deltas in order (partial), else nothing yet (pending).
 */
export interface AssembledResult {
  state: "complete" | "partial" | "pending";
  value: JSONValue;
  /**
   * Values of seq that are missing between 0 and the highest one of a delta, ascending; at most 1000.
   *
   * @maxItems 1000
   */
  gaps: number[];
  /**
   * How many more are missing, where there are more than 1000.
   */
  more_gaps?: number;
}
/**
 * Blocks whose parent is missing or of a wrong kind: all empty unless the data was damaged or restored. Results stay under their call, also when that call is an orphan.
 */
export interface Orphans {
  tool_calls: StitchedToolCall[];
  tool_results: ToolResultBlock[];
  thinks: ThinkBlock[];
}
/**
 * Where the next page begins; null on the last one.
 */
export interface Page {
  next_cursor: string | null;
}
/**
 * The envelope of every error of a trace store; http_status equals the status of the response.
 */
export interface TraceError {
  error: Failure;
}
/**
 * A required field is missing, a role is unknown, a parent is missing or not allowed.
 */
export interface ValidationFailure {
  code: "VALIDATION";
  http_status: 422;
  message: string;
  details: {
    /**
     * @minItems 1
     */
    issues: [ValidationIssue, ...ValidationIssue[]];
  };
}
/**
 * One broken rule: where, which, what was expected and what was found (a type or a short preview).
 */
export interface ValidationIssue {
  /**
   * Place of the block in a batch.
   */
  index?: number;
  /**
   * JSON pointer into the block.
   */
  path: string;
  rule: string;
  expected: string;
  got: string;
}
/**
 * A field exceeds its byte limit. Nothing was stored and nothing was cut.
 */
export interface PayloadTooLarge {
  code: "PAYLOAD_TOO_LARGE";
  http_status: 413;
  message: string;
  details: {
    /**
     * Place of the block in a batch.
     */
    index?: number;
    /**
     * Null when the request as a whole is too large.
     */
    sub_type: SubType | null;
    field: "content" | "arguments" | "text" | "output" | "delta" | "request_body";
    limit_bytes: number;
    /**
     * Null when the client did not tell and the store stopped reading.
     */
    actual_bytes: number | null;
    /**
     * Null when a request that names no trace is too large.
     */
    trace_id: TraceId | null;
    parent_block_id: BlockId | null;
  };
}
/**
 * The parent exists, but a block of this kind may not hang under it.
 */
export interface ParentSubtypeMismatch {
  code: "PARENT_SUBTYPE_MISMATCH";
  http_status: 409;
  message: string;
  details: {
    /**
     * Place of the block in a batch.
     */
    index?: number;
    sub_type: SubType;
    parent_block_id: BlockId;
    parent_sub_type: SubType;
    /**
     * @minItems 1
     */
    allowed: [SubType, ...SubType[]];
  };
}
/**
 * The trace already has a tool call with this call_id.
 */
export interface DuplicateCallId {
  code: "DUPLICATE_CALL_ID";
  http_status: 409;
  message: string;
  details: {
    /**
     * Place of the block in a batch.
     */
    index?: number;
    trace_id: TraceId;
    call_id: CallId;
    existing_block_id: BlockId;
  };
}
/**
 * The call already has a result with this seq.
 */
export interface DuplicateResultSeq {
  code: "DUPLICATE_RESULT_SEQ";
  http_status: 409;
  message: string;
  details: {
    /**
     * Place of the block in a batch.
     */
    index?: number;
    trace_id: TraceId;
    call_id: CallId;
    seq: number;
    existing_block_id: BlockId;
  };
}
/**
 * Any other failure of a request to the trace store.
 */
export interface OtherFailure {
  code:
    | "BAD_REQUEST"
    | "BAD_JSON"
    | "UNAUTHENTICATED"
    | "FORBIDDEN"
    | "TRACE_NOT_FOUND"
    | "BLOCK_NOT_FOUND"
    | "NOT_FOUND"
    | "METHOD_NOT_ALLOWED"
    | "TRACE_ID_CONFLICT"
    | "BLOCK_ID_CONFLICT"
    | "TRACE_DELETED"
    | "UNSUPPORTED_MEDIA_TYPE"
    | "IDEMPOTENCY_MISMATCH"
    | "RATE_LIMITED"
    | "OVERLOADED"
    | "INTERNAL";
  http_status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 415 | 417 | 422 | 429 | 431 | 500 | 503;
  message: string;
  details: JSONObject;
}
/**
 * A trace to create; every field may be left out. The counters, the times and task_key follow from what is written.
 */
export interface TraceInput {
  id?: TraceId;
  /**
   * For people.
   */
  name?: string | null;
  /**
   * The training or evaluation run that it belongs to.
   */
  run?: string | null;
  environment?: string | null;
  variant?: string | null;
  split?: string | null;
  task_index?: number | null;
  task_spec?: JSONObject | null;
  /**
   * Rollouts of one task that are compared with each other. Where it is left out, those of one run, environment, split, task_key and step are a group.
   */
  group_id?: string | null;
  /**
   * Training step.
   */
  step?: number | null;
  /**
   * Place in its group.
   */
  rollout_index?: number | null;
  model?: string | null;
  /**
   * @maxItems 100
   */
  tags?: string[];
  metadata?: JSONObject;
  run_info?: JSONObject;
  rollout_info?: JSONObject;
  status?: TraceStatus;
}
/**
 * What may change of a trace: the fields given replace those of before.
 */
export interface TracePatch {
  /**
   * For people.
   */
  name?: string | null;
  status?: TraceStatus;
  /**
   * @maxItems 100
   */
  tags?: string[];
  metadata?: JSONObject;
}
/**
 * One page of traces.
 */
export interface TraceList {
  traces: Trace[];
  page: Page;
}
/**
 * Blocks that are written all or none.
 */
export interface BlockBatch {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  blocks: [BlockInput, ...BlockInput[]];
}
/**
 * A receipt for each block of a batch, in its order.
 */
export interface BatchReceipt {
  blocks: BlockReceipt[];
  count: number;
}
/**
 * Says that a block is on disk.
 */
export interface BlockReceipt {
  id: BlockId;
  created_at: Timestamp;
  /**
   * Whether it was there before, with the same content.
   */
  replayed: boolean;
}
/**
 * What a write would come to: every block is valid, and nothing was stored.
 */
export interface DryRun {
  valid: true;
  count: number;
}
/**
 * One page of the blocks of a trace, in the order in which they were written.
 */
export interface BlockList {
  blocks: (Block | BlockSkeleton)[];
  page: Page;
}
/**
 * A block without its payload: enough for an outline of a long trace.
 */
export interface BlockSkeleton {
  id: BlockId;
  block_type: "MESSAGE" | "ACT" | "OBSERVE";
  sub_type: SubType;
  parent_block_id: BlockId | null;
  call_id: string | null;
  seq: number | null;
  /**
   * Of the tool, for a TOOL_CALL.
   */
  name: string | null;
  /**
   * Of a MESSAGE.
   */
  role: string | null;
  /**
   * Stored bytes.
   */
  bytes: number;
  /**
   * extra.reward.
   */
  reward: number | null;
  /**
   * Whether it is a tool result that reports a failure.
   */
  is_error: boolean;
  /**
   * The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`.
   */
  preview: string;
  created_at: Timestamp;
}
/**
 * One page of blocks that were found, those of the newest trace first.
 */
export interface BlockHitList {
  hits: BlockHit[];
  page: Page;
}
/**
 * A block that was found, and where.
 */
export interface BlockHit {
  trace_id: TraceId;
  block: BlockSkeleton;
  /**
   * What stands around the first place of the text that was searched for, at most 160 characters; null where none was.
   */
  excerpt: string | null;
}
/**
 * One page of runs, those that changed last first.
 */
export interface RunList {
  runs: Run[];
  page: Page;
}
/**
 * All traces with one run name.
 */
export interface Run {
  run: string;
  trace_count: number;
  block_count: number;
  bytes: number;
  /**
   * Traces with at least one failed tool call.
   */
  error_count: number;
  /**
   * How many traces have each status.
   */
  status: {
    running: number;
    finished: number;
    error: number;
    abandoned: number;
  };
  reward: RewardSummary;
  first_created_at: Timestamp;
  last_updated_at: Timestamp;
}
/**
 * The reward_sum of some traces; those without any reward are in count_without. All null where none has one.
 */
export interface RewardSummary {
  count: number;
  count_without: number;
  mean: number | null;
  /**
   * Population standard deviation.
   */
  std: number | null;
  min: number | null;
  max: number | null;
}
/**
 * Rewards of a run, as a whole and by step.
 */
export interface RunStats {
  run: Run;
  /**
   * Edges of the bins, ascending; one more than there are bins. A bin holds its lower edge, the last both.
   */
  edges: number[];
  histogram: number[];
  steps: StepStats[];
}
/**
 * The traces of one training step; step is null for those without.
 */
export interface StepStats {
  step: number | null;
  trace_count: number;
  reward: RewardSummary;
  /**
   * How many rewards lie in each of the bins of the run; the edges are those of RunStats.
   */
  histogram: number[];
}
/**
 * One page of groups.
 */
export interface GroupList {
  groups: Group[];
  page: Page;
}
/**
 * Rollouts of one task.
 */
export interface Group {
  /**
   * What names the group in this store.
   */
  key: string;
  group_id: string | null;
  run: string | null;
  environment: string | null;
  split: string | null;
  task_key: string | null;
  task_index: number | null;
  step: number | null;
  reward: RewardSummary;
  members: GroupMember[];
}
/**
 * One rollout of a group.
 */
export interface GroupMember {
  trace_id: TraceId;
  rollout_index: number | null;
  status: TraceStatus;
  reward: number | null;
  /**
   * (reward - mean) / (std + 1e-6) of the group; 0 where all rewards are equal, null without a reward.
   */
  advantage: number | null;
  block_count: number;
}
/**
 * What the key of a request may do, and with whose traces.
 */
export interface Access {
  organization: string;
  scopes: ("read" | "write")[];
}
/**
 * Says that a blob is on disk.
 */
export interface BlobReceipt {
  sha256: string;
  media_type: string;
  bytes: number;
}
/**
 * What an import came to.
 */
export interface ImportReport {
  /**
   * Traces that were created, or were there with the same content.
   */
  traces: number;
  /**
   * Blocks that were written.
   */
  blocks: number;
  /**
   * Blocks that were there.
   */
  replayed: number;
  /**
   * Lines, blocks and traces that could not be read or were refused.
   */
  failed_count?: number;
  /**
   * The first 1000 of these, each with the error that a write would have had. All else is imported: `block_id` is null where a trace was refused with all of its blocks, and where a line is no block.
   */
  failed: {
    line: number;
    trace_id: TraceId | null;
    block_id?: BlockId | null;
    error: Failure;
  }[];
}
/**
 * A trace as a tree without payloads.
 */
export interface StitchedSkeleton {
  trace: Trace;
  messages: SkeletonMessage[];
  orphans: SkeletonOrphans;
  page: Page;
}
/**
 * The outline of a message with its thoughts and tool calls.
 */
export interface SkeletonMessage {
  id: BlockId;
  block_type: "MESSAGE" | "ACT" | "OBSERVE";
  sub_type: SubType;
  parent_block_id: BlockId | null;
  call_id: string | null;
  seq: number | null;
  /**
   * Of the tool, for a TOOL_CALL.
   */
  name: string | null;
  /**
   * Of a MESSAGE.
   */
  role: string | null;
  /**
   * Stored bytes.
   */
  bytes: number;
  /**
   * extra.reward.
   */
  reward: number | null;
  /**
   * Whether it is a tool result that reports a failure.
   */
  is_error: boolean;
  /**
   * The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`.
   */
  preview: string;
  created_at: Timestamp;
  thinks: BlockSkeleton[];
  tool_calls: SkeletonToolCall[];
  child_order: BlockId[];
}
/**
 * The outline of a tool call with its results.
 */
export interface SkeletonToolCall {
  id: BlockId;
  block_type: "MESSAGE" | "ACT" | "OBSERVE";
  sub_type: SubType;
  parent_block_id: BlockId | null;
  call_id: string | null;
  seq: number | null;
  /**
   * Of the tool, for a TOOL_CALL.
   */
  name: string | null;
  /**
   * Of a MESSAGE.
   */
  role: string | null;
  /**
   * Stored bytes.
   */
  bytes: number;
  /**
   * extra.reward.
   */
  reward: number | null;
  /**
   * Whether it is a tool result that reports a failure.
   */
  is_error: boolean;
  /**
   * The beginning of its text, at most 120 characters; of parts without text, what they are: `[image]`.
   */
  preview: string;
  created_at: Timestamp;
  tool_results: BlockSkeleton[];
}
/**
 * Outlines of blocks whose parent is missing or of a wrong kind.
 */
export interface SkeletonOrphans {
  tool_calls: SkeletonToolCall[];
  tool_results: BlockSkeleton[];
  thinks: BlockSkeleton[];
}
/**
 * A batch of events of the OpenReward client.
 */
export interface RolloutEvents {
  /**
   * @maxItems 10000
   */
  events: RolloutEvent[];
  [k: string]: unknown;
}
/**
 * A rollout begins; its eventId is the id of the rollout.
 */
export interface RolloutStarted {
  eventType: "rollout";
  eventId: string;
  timestamp?: number;
  runName: string;
  rolloutName?: string | null;
  environment?: string | null;
  variant?: string | null;
  split?: string | null;
  /**
   * Training step.
   */
  step?: number | null;
  metadata?: JSONObject | null;
  task_spec?: JSONObject | null;
  run_info?: JSONObject | null;
  [k: string]: unknown;
}
/**
 * A message of a rollout; its place is index.
 */
export interface RolloutMessage {
  eventType: "message";
  eventId: string;
  rolloutEventId: string;
  timestamp?: number;
  index: number;
  type: "system_message" | "user_message" | "assistant_message" | "reasoning" | "tool_call" | "tool_result";
  content?: string | null;
  summary?: string | null;
  contentReference?: string | null;
  name?: string | null;
  callId?: string | null;
  reward?: number | null;
  isFinished?: boolean | null;
  metadata?: JSONObject | null;
  [k: string]: unknown;
}
/**
 * What was learned of a rollout; its eventId is the id of the rollout.
 */
export interface RolloutUpdate {
  eventType: "rollout_update";
  eventId: string;
  rollout_info?: JSONObject | null;
  [k: string]: unknown;
}
/**
 * Says that events are on disk.
 */
export interface RolloutReceipt {
  accepted: number;
}
/**
 * A run in the words of OpenReward.
 */
export interface RolloutRun {
  id: string;
  name: string;
  num_rollouts: number;
  avg_rollout_reward: number | null;
  avg_rollout_length: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}
/**
 * A trace in the words of OpenReward.
 */
export interface Rollout {
  id: string;
  rolloutName: string | null;
  environment: string | null;
  max_reward: number | null;
  num_messages: number;
  created_at: Timestamp;
}

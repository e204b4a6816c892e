// generated from trace.schema.json by ors generate; never edit

/**
 * All messages between clients and trace stores. Refer to single definitions (#/$defs/Block), never to the whole document.
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
  | TraceSummaryList
  | RunStats
  | GroupList
  | Access
  | BlobReceipt
  | ImportReport
  | StitchedSkeleton
  | RolloutEvents
  | RolloutReceipt
  | RolloutRun
  | Rollout
  | RequiredSecrets
  | TaskDifficultyList
  | RolloutMessages
  | ScoreInput
  | Score
  | ScoreList
  | SpanReceipt
  | SearchResults
  | BulkInput
  | BulkReport;
/**
 * A block to write; sub_type determines its form. The block_type follows from it and may be omitted; created_at and updated_at are set by the store and rejected in requests. metadata, raw and extra are any JSON, and are returned as they were sent, numbers of any length included; if the store has API keys, an object as metadata gets the field key_id.
 */
export type BlockInput = MessageBlockInput | ToolCallBlockInput | ThinkBlockInput | ToolResultBlockInput;
/**
 * Id of a block. Clients may choose it, so that a repeated write stores one block.
 */
export type BlockId = string;
/**
 * Id of a trace. Clients may choose it; ids that the store creates sort by time.
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
 * The result of a call, complete or a part of it: exactly one of output and delta.
 */
export type ToolResultPayload = ToolResultOutput | ToolResultDelta;
/**
 * Position among the results of one call, from 0; null or absent sorts last.
 */
export type Seq = number | null;
/**
 * A stored block; sub_type determines its form. Blocks never change, so updated_at equals created_at.
 */
export type Block = MessageBlock | ToolCallBlock | ThinkBlock | ToolResultBlock;
/**
 * RFC 3339 time in UTC with microseconds, such as 2025-03-01T12:00:00.000001Z. Sorts as text.
 */
export type Timestamp = string;
/**
 * State of the agent run: finished if the episode was finished, error if it failed, abandoned if it was deleted before its end.
 */
export type TraceStatus = "running" | "finished" | "error" | "abandoned";
/**
 * Reason why a request was rejected.
 */
export type Failure =
  ValidationFailure | PayloadTooLarge | ParentSubtypeMismatch | DuplicateCallId | DuplicateResultSeq | OtherFailure;
/**
 * Exact kind of a block.
 */
export type SubType = "MESSAGE" | "TOOL_CALL" | "TOOL_RESULT" | "THINK";
/**
 * One block, or up to 1000 that are written together or not at all; the parent of a block may be an earlier block of the request.
 */
export type BlockWrite = BlockInput | BlockBatch;
/**
 * Start of a rollout, one of its messages, or later information about it; eventType says which.
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
  metadata?: JSONValue;
  raw?: JSONValue;
  extra?: JSONValue;
}
/**
 * Content of a message, and the role of its author. The content is limited to 65536 bytes (LIMIT_MSG_BYTES).
 */
export interface MessagePayload {
  role: "system" | "user" | "assistant";
  /**
   * Text, or parts in order; never empty. White space counts as content.
   */
  content: string | [ContentPart, ...ContentPart[]];
  [k: string]: unknown;
}
/**
 * Part of a message's content, such as an ORS block; its other fields depend on its type.
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
  metadata?: JSONValue;
  raw?: JSONValue;
  extra?: JSONValue;
}
/**
 * A tool call as written. The arguments are any JSON value, or the text of one, which model providers return: it is parsed, and stored as its value. Empty text means `{}`; text that is not JSON is rejected.
 */
export interface ToolCallPayloadInput {
  call_id?: CallId;
  name: ToolName;
  arguments: JSONValue;
  [k: string]: unknown;
}
/**
 * Reasoning to write, under a message of the same trace.
 */
export interface ThinkBlockInput {
  id?: BlockId;
  trace_id?: TraceId;
  block_type?: "ACT";
  sub_type: "THINK";
  payload: ThinkPayload;
  parent_block_id: BlockId;
  metadata?: JSONValue;
  raw?: JSONValue;
  extra?: JSONValue;
}
/**
 * Reasoning of a model. The text is limited to 32768 bytes (LIMIT_THINK_BYTES).
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
  metadata?: JSONValue;
  raw?: JSONValue;
  extra?: JSONValue;
}
/**
 * The complete result of a call. A null delta counts as absent, unless the output is null too. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).
 */
export interface ToolResultOutput {
  call_id?: CallId;
  output: JSONValue;
  delta?: null;
  seq?: Seq;
  [k: string]: unknown;
}
/**
 * A streamed part of the result of a call. A null output counts as absent. Limited to 2097152 bytes (LIMIT_TOOL_RESULT_BYTES).
 */
export interface ToolResultDelta {
  call_id?: CallId;
  /**
   * Any value but null. Text deltas are joined, and lists concatenated, in the order of seq; others become a list.
   */
  delta: string | number | boolean | JSONObject | JSONValue[];
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
  metadata: JSONValue;
  raw: JSONValue;
  extra: JSONValue;
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
  metadata: JSONValue;
  raw: JSONValue;
  extra: JSONValue;
  created_at: Timestamp;
  updated_at: Timestamp;
}
/**
 * A tool call as stored. The arguments are usually an object. They are limited to 262144 bytes (LIMIT_TOOL_ARGS_BYTES).
 */
export interface ToolCallPayload {
  call_id?: CallId;
  name: ToolName;
  arguments: JSONValue;
  [k: string]: unknown;
}
/**
 * Reasoning as stored; its parent is a message.
 */
export interface ThinkBlock {
  id: BlockId;
  trace_id: TraceId;
  block_type: "ACT";
  sub_type: "THINK";
  payload: ThinkPayload;
  parent_block_id: BlockId;
  metadata: JSONValue;
  raw: JSONValue;
  extra: JSONValue;
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
  metadata: JSONValue;
  raw: JSONValue;
  extra: JSONValue;
  created_at: Timestamp;
  updated_at: Timestamp;
}
/**
 * The log of one agent run, without its blocks. The counters include every stored block.
 */
export interface Trace {
  id: TraceId;
  name: string | null;
  /**
   * The training or evaluation run that the trace belongs to.
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
   * Group of rollouts of one task that are compared with each other.
   */
  group_id: string | null;
  /**
   * Training step.
   */
  step: number | null;
  /**
   * Position in the group.
   */
  rollout_index: number | null;
  model: string | null;
  status: TraceStatus;
  tags: string[];
  metadata: JSONObject;
  run_info: JSONObject;
  rollout_info: JSONObject;
  /**
   * The trace whose episode this one continues from one of its states; absent if there is none. The continuation begins with the conversation so far. Statistics and groups leave out traces with a parent. The store need not have the parent.
   */
  parent_trace_id?: TraceId;
  /**
   * Number of tool calls of the parent before the fork, which this trace shares; absent if unknown.
   */
  parent_calls?: number;
  /**
   * What the store changed, or could not use, while it logged the events of a rollout; absent if there is nothing.
   *
   * @maxItems 100
   */
  warnings?: TraceWarning[];
  /**
   * Sum of extra.reward of all blocks; null if no block has a reward.
   */
  reward_sum: number | null;
  reward_last: number | null;
  reward_max: number | null;
  reward_count: number;
  block_count: number;
  /**
   * Size of the stored blocks in bytes.
   */
  bytes: number;
  /**
   * Number of tool results that report a failure.
   */
  error_count: number;
  created_at: Timestamp;
  finished_at: Timestamp | null;
  updated_at: Timestamp;
}
/**
 * A value of a logged event that is not as the standard has it. It is kept, in the form that the message describes.
 */
export interface TraceWarning {
  /**
   * Id of the event.
   */
  event_id: string;
  /**
   * JSON pointer into the event.
   */
  path: string;
  message: string;
}
/**
 * A trace as a tree: messages with their thoughts and tool calls, and calls with their results. Every list is ordered by payload.seq (null last), created_at, id.
 */
export interface StitchedTrace {
  trace: Trace;
  messages: StitchedMessage[];
  orphans: Orphans;
  page: Page;
}
/**
 * A message with its thoughts and tool calls. child_order lists the ids of both in their common order.
 */
export interface StitchedMessage {
  id: BlockId;
  trace_id: TraceId;
  block_type: "MESSAGE";
  sub_type: "MESSAGE";
  payload: MessagePayload;
  parent_block_id: null;
  metadata: JSONValue;
  raw: JSONValue;
  extra: JSONValue;
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
  metadata: JSONValue;
  raw: JSONValue;
  extra: JSONValue;
  created_at: Timestamp;
  updated_at: Timestamp;
  tool_results: ToolResultBlock[];
  assembled?: AssembledResult;
}
/**
 * The joined results of one call: the last output if there is one, or an output of which all pieces exist (complete), else the deltas in order (partial), else null (pending).
 */
export interface AssembledResult {
  state: "complete" | "partial" | "pending";
  value: JSONValue;
  /**
   * Missing values of seq between 0 and the highest one of a delta, ascending; at most 1000.
   *
   * @maxItems 1000
   */
  gaps: number[];
  /**
   * Number of further missing values, if there are more than 1000.
   */
  more_gaps?: number;
}
/**
 * Blocks whose parent is missing or of the wrong kind; empty unless the data was damaged or restored. Results stay under their call, even if that call is an orphan.
 */
export interface Orphans {
  tool_calls: StitchedToolCall[];
  tool_results: ToolResultBlock[];
  thinks: ThinkBlock[];
}
/**
 * Cursor of the next page; null on the last page.
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
 * A required field is missing, a role is unknown, or a parent is missing or not allowed.
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
 * One broken rule: its location, its name, what was expected and what was found (a type or a short preview).
 */
export interface ValidationIssue {
  /**
   * Position of the block in the batch.
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
 * A field exceeds its byte limit. Nothing was stored, and nothing was truncated.
 */
export interface PayloadTooLarge {
  code: "PAYLOAD_TOO_LARGE";
  http_status: 413;
  message: string;
  details: {
    /**
     * Position of the block in the batch.
     */
    index?: number;
    /**
     * Null if the request as a whole is too large.
     */
    sub_type: SubType | null;
    field: "content" | "arguments" | "text" | "output" | "delta" | "request_body";
    limit_bytes: number;
    /**
     * Null if the client declared no length and the store stopped reading.
     */
    actual_bytes: number | null;
    /**
     * Null if a request that names no trace is too large.
     */
    trace_id: TraceId | null;
    parent_block_id: BlockId | null;
  };
}
/**
 * The parent exists, but is of a kind that cannot have this block as a child.
 */
export interface ParentSubtypeMismatch {
  code: "PARENT_SUBTYPE_MISMATCH";
  http_status: 409;
  message: string;
  details: {
    /**
     * Position of the block in the batch.
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
     * Position of the block in the batch.
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
     * Position of the block in the batch.
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
    | "SCORE_ID_CONFLICT"
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
 * A trace to create; all fields are optional. The store sets the counters, the times and task_key.
 */
export interface TraceInput {
  id?: TraceId;
  /**
   * Display name.
   */
  name?: string | null;
  /**
   * The training or evaluation run that the trace belongs to.
   */
  run?: string | null;
  environment?: string | null;
  variant?: string | null;
  split?: string | null;
  task_index?: number | null;
  task_spec?: JSONObject | null;
  /**
   * Group of rollouts of one task that are compared with each other. By default, the traces with the same run, environment, split, task_key, step, model and sampling settings form a group; the settings are the object `sampling` of rollout_info, run_info or metadata.
   */
  group_id?: string | null;
  /**
   * Training step.
   */
  step?: number | null;
  /**
   * Position in the group.
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
  /**
   * The trace whose episode this one continues from one of its states: another trace, which the store need not have. Statistics and groups leave out traces with a parent.
   */
  parent_trace_id?: TraceId | null;
  /**
   * Number of tool calls of the parent before the fork, which this trace shares. Needs parent_trace_id.
   */
  parent_calls?: number | null;
  status?: TraceStatus;
}
/**
 * Changes to a trace; the given fields replace the previous values.
 */
export interface TracePatch {
  /**
   * Display name.
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
 * Blocks that are written together or not at all.
 */
export interface BlockBatch {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  blocks: [BlockInput, ...BlockInput[]];
}
/**
 * One receipt per block of a batch, in the same order.
 */
export interface BatchReceipt {
  blocks: BlockReceipt[];
  count: number;
}
/**
 * Confirms that a block is on disk.
 */
export interface BlockReceipt {
  id: BlockId;
  created_at: Timestamp;
  /**
   * True if the block existed before, with the same content.
   */
  replayed: boolean;
}
/**
 * Result of a dry run: every block is valid, and nothing was stored.
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
   * Name of the tool, for a TOOL_CALL.
   */
  name: string | null;
  /**
   * Role of the author, for a MESSAGE.
   */
  role: string | null;
  /**
   * Stored size in bytes.
   */
  bytes: number;
  /**
   * The value of extra.reward.
   */
  reward: number | null;
  /**
   * True for a tool result that reports a failure.
   */
  is_error: boolean;
  /**
   * The value of extra.thread as a text: the conversation of another agent that the block belongs to. Absent for the main agent, and unless the value is a text of 1 to 128 characters or a whole number above 0.
   */
  thread?: string;
  /**
   * The beginning of the text, at most 120 characters; a part without text is shown as its type, such as `[image]`.
   */
  preview: string;
  created_at: Timestamp;
}
/**
 * One page of search results, those of the newest trace first.
 */
export interface BlockHitList {
  hits: BlockHit[];
  page: Page;
}
/**
 * A block that matches a search, and its location.
 */
export interface BlockHit {
  trace_id: TraceId;
  block: BlockSkeleton;
  /**
   * Text around the first match, at most 160 characters; null if no text was searched for.
   */
  excerpt: string | null;
}
/**
 * One page of runs, most recently changed first.
 */
export interface RunList {
  runs: Run[];
  page: Page;
}
/**
 * All traces with one run name, without those that continue another trace. Details are only included if a request asks for them.
 */
export interface Run {
  run: string;
  trace_count: number;
  block_count: number;
  bytes: number;
  /**
   * Number of traces with at least one failed tool call.
   */
  error_count: number;
  /**
   * Number of traces by status.
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
  details?: RunDetails;
}
/**
 * Summary of the reward_sum of several traces; count_without is the number of traces without a reward. The other values are null if no trace has one.
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
 * What a table of runs shows beside their counts.
 */
export interface RunDetails {
  /**
   * At most 20, the most frequent first.
   */
  environments: string[];
  /**
   * At most 20, the most frequent first.
   */
  models: string[];
  /**
   * Tags of the traces without those that begin with stop: or failed:; at most 20, the most frequent first.
   */
  tags: string[];
  first_step: number | null;
  last_step: number | null;
  /**
   * Number of traces whose reward is at least the parameter pass.
   */
  passed: number;
  /**
   * Mean duration of the traces that ended; null if none did.
   */
  mean_seconds: number | null;
  /**
   * Sum over the traces that report tokens; null if none does.
   */
  tokens: number | null;
  /**
   * Sum over the traces that report a cost; null if none does.
   */
  cost: number | null;
  /**
   * Mean reward of consecutive training steps, at most 32 values; null for steps without a reward.
   *
   * @maxItems 32
   */
  trend: (number | null)[];
  /**
   * Numbers, texts and booleans in run_info and metadata of the newest trace, by their path, such as lr or usage.input_tokens; at most 50.
   */
  info: {
    [k: string]: string | number | boolean;
  };
}
/**
 * One page of summaries.
 */
export interface TraceSummaryList {
  summaries: TraceSummary[];
  page: Page;
}
/**
 * The fields of a trace that statistics need, without its objects. An imported trace has the times at which it was recorded.
 */
export interface TraceSummary {
  id: TraceId;
  run: string | null;
  environment: string | null;
  split: string | null;
  task_index: number | null;
  task_key: string | null;
  /**
   * Identifies the group of the trace in this store; null if it has none.
   */
  group_key: string | null;
  /**
   * Training step.
   */
  step: number | null;
  model: string | null;
  status: TraceStatus;
  /**
   * reward_sum of the trace.
   */
  reward: number | null;
  block_count: number;
  error_count: number;
  /**
   * Tokens that metadata or rollout_info report, by the names that providers use.
   */
  tokens: number | null;
  /**
   * Cost that metadata or rollout_info report.
   */
  cost: number | null;
  /**
   * Numbers in metadata and rollout_info by their path, such as usage.input_tokens; at most 50.
   */
  values: {
    [k: string]: number;
  };
  created_at: Timestamp;
  finished_at: Timestamp | null;
}
/**
 * Rewards of a run, as a whole and by step.
 */
export interface RunStats {
  run: Run;
  /**
   * Edges of the bins, ascending; one more than there are bins. A bin includes its lower edge, the last bin both edges.
   */
  edges: number[];
  histogram: number[];
  steps: StepStats[];
}
/**
 * The traces of one training step; step is null for traces without a step. Quantiles are left out if no trace has a reward.
 */
export interface StepStats {
  step: number | null;
  trace_count: number;
  reward: RewardSummary;
  /**
   * Number of rewards in each bin of the run; RunStats has the edges.
   */
  histogram: number[];
  quantiles?: RewardQuantiles;
}
/**
 * Quantiles of rewards, interpolated between the two nearest rewards.
 */
export interface RewardQuantiles {
  p10: number;
  p25: number;
  p50: number;
  p75: number;
  p90: number;
}
/**
 * One page of groups.
 */
export interface GroupList {
  groups: Group[];
  page: Page;
}
/**
 * Rollouts of one task. Traces that continue another one are in no group.
 */
export interface Group {
  /**
   * Identifies the group in this store.
   */
  key: string;
  group_id: string | null;
  run: string | null;
  environment: string | null;
  split: string | null;
  task_key: string | null;
  task_index: number | null;
  step: number | null;
  /**
   * Model of all members; null if they differ, which only a group with a group_id can have.
   */
  model?: string | null;
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
   * (reward - mean) / (std + 1e-6) of the group; 0 if all rewards are equal, null without a reward.
   */
  advantage: number | null;
  block_count: number;
}
/**
 * Permissions of the API key of a request, and its organization.
 */
export interface Access {
  organization: string;
  scopes: ("read" | "write")[];
}
/**
 * Confirms that a blob is on disk.
 */
export interface BlobReceipt {
  sha256: string;
  media_type: string;
  bytes: number;
}
/**
 * Result of an import.
 */
export interface ImportReport {
  /**
   * Number of traces that were created, or that existed with the same content.
   */
  traces: number;
  /**
   * Number of written blocks.
   */
  blocks: number;
  /**
   * Number of blocks that existed before.
   */
  replayed: number;
  /**
   * Number of lines, blocks and traces that could not be read or were rejected.
   */
  failed_count?: number;
  /**
   * The first 1000 of these, each with the error that a write would return. Everything else is imported. `block_id` is null if a trace was rejected with all of its blocks, and if a line is not a block.
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
 * The skeleton of a message with those of its thoughts and tool calls.
 */
export interface SkeletonMessage {
  id: BlockId;
  block_type: "MESSAGE" | "ACT" | "OBSERVE";
  sub_type: SubType;
  parent_block_id: BlockId | null;
  call_id: string | null;
  seq: number | null;
  /**
   * Name of the tool, for a TOOL_CALL.
   */
  name: string | null;
  /**
   * Role of the author, for a MESSAGE.
   */
  role: string | null;
  /**
   * Stored size in bytes.
   */
  bytes: number;
  /**
   * The value of extra.reward.
   */
  reward: number | null;
  /**
   * True for a tool result that reports a failure.
   */
  is_error: boolean;
  /**
   * The value of extra.thread as a text: the conversation of another agent that the block belongs to. Absent for the main agent, and unless the value is a text of 1 to 128 characters or a whole number above 0.
   */
  thread?: string;
  /**
   * The beginning of the text, at most 120 characters; a part without text is shown as its type, such as `[image]`.
   */
  preview: string;
  created_at: Timestamp;
  thinks: BlockSkeleton[];
  tool_calls: SkeletonToolCall[];
  child_order: BlockId[];
}
/**
 * The skeleton of a tool call with those of its results.
 */
export interface SkeletonToolCall {
  id: BlockId;
  block_type: "MESSAGE" | "ACT" | "OBSERVE";
  sub_type: SubType;
  parent_block_id: BlockId | null;
  call_id: string | null;
  seq: number | null;
  /**
   * Name of the tool, for a TOOL_CALL.
   */
  name: string | null;
  /**
   * Role of the author, for a MESSAGE.
   */
  role: string | null;
  /**
   * Stored size in bytes.
   */
  bytes: number;
  /**
   * The value of extra.reward.
   */
  reward: number | null;
  /**
   * True for a tool result that reports a failure.
   */
  is_error: boolean;
  /**
   * The value of extra.thread as a text: the conversation of another agent that the block belongs to. Absent for the main agent, and unless the value is a text of 1 to 128 characters or a whole number above 0.
   */
  thread?: string;
  /**
   * The beginning of the text, at most 120 characters; a part without text is shown as its type, such as `[image]`.
   */
  preview: string;
  created_at: Timestamp;
  tool_results: BlockSkeleton[];
}
/**
 * Skeletons of blocks whose parent is missing or of the wrong kind.
 */
export interface SkeletonOrphans {
  tool_calls: SkeletonToolCall[];
  tool_results: BlockSkeleton[];
  thinks: BlockSkeleton[];
}
/**
 * A batch of events of the OpenReward client. Events of another form are kept as far as they can be read, with a warning on their trace.
 */
export interface RolloutEvents {
  /**
   * @maxItems 10000
   */
  events: (RolloutEvent | JSONValue)[];
  [k: string]: unknown;
}
/**
 * Start of a rollout; eventId is the id of the rollout.
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
 * Message of a rollout; index is its position.
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
 * Later information about a rollout; eventId is the id of the rollout.
 */
export interface RolloutUpdate {
  eventType: "rollout_update";
  eventId: string;
  rollout_info?: JSONObject | null;
  [k: string]: unknown;
}
/**
 * Confirms that events are on disk, and lists those that are not.
 */
export interface RolloutReceipt {
  /**
   * Number of events on disk.
   */
  accepted: number;
  /**
   * Events that could not be read, or whose trace does not exist; absent if there are none.
   *
   * @minItems 1
   */
  refused?: [
    {
      /**
       * Position in the request, from 0.
       */
      index: number;
      error: Failure;
    },
    ...{
      /**
       * Position in the request, from 0.
       */
      index: number;
      error: Failure;
    }[]
  ];
}
/**
 * A run in the format of OpenReward.
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
 * A trace in the format of OpenReward.
 */
export interface Rollout {
  id: string;
  rolloutName: string | null;
  environment: string | null;
  max_reward: number | null;
  num_messages: number;
  created_at: Timestamp;
}
/**
 * Names of the secrets that an environment needs. A trace store has no environments, so that the list is empty.
 */
export interface RequiredSecrets {
  secrets: string[];
}
/**
 * The tasks of an environment with logged rollouts, by split, variant and index; null comes first.
 */
export interface TaskDifficultyList {
  tasks: TaskDifficulty[];
}
/**
 * Rewards and response lengths of the rollouts of one task.
 */
export interface TaskDifficulty {
  split: string | null;
  variant: string | null;
  task_index: number;
  /**
   * Mean of reward_sum.
   */
  avg_reward: number;
  min_reward: number;
  max_reward: number;
  /**
   * Number of rollouts with a reward.
   */
  num_rollouts: number;
  response_chars: ResponseChars;
}
/**
 * Length of the responses of a model per rollout, in characters: text of the assistant, arguments of calls, and reasoning that is not hidden. Percentiles are interpolated.
 */
export interface ResponseChars {
  mean: number;
  p1: number;
  p10: number;
  p25: number;
  p50: number;
  p75: number;
  p90: number;
  p99: number;
}
/**
 * The messages of a rollout. Arguments are JSON text, and so are other values that are not text.
 */
export interface RolloutMessages {
  messages: {
    index: number;
    type: "system_message" | "user_message" | "assistant_message" | "reasoning" | "tool_call" | "tool_result";
    content: string | null;
    name: string | null;
    callId: string | null;
    contentReference: string | null;
    summary: string | null;
  }[];
}
/**
 * A judgement of a run, a trace or a block, with at least one of value, label and comment. It names either a trace or a run.
 */
export interface ScoreInput {
  /**
   * Id of the score. Clients may choose it, so that a repeated request stores one score.
   */
  id?: string;
  /**
   * Trace that is scored; null for the score of a run.
   */
  trace_id?: TraceId | null;
  /**
   * Block of the trace that is scored; null for the whole trace.
   */
  block_id?: BlockId | null;
  /**
   * Run that is scored; null for the score of a trace.
   */
  run?: string | null;
  /**
   * Criterion, such as correctness.
   */
  name: string;
  /**
   * Numeric score.
   */
  value?: number | null;
  /**
   * Categorical score.
   */
  label?: string | null;
  comment?: string | null;
  /**
   * Who gave the score; the id of the API key by default.
   */
  author?: string | null;
  /**
   * Kind of the author: a person, a model or a program.
   */
  source?: "human" | "model" | "code";
  metadata?: JSONObject;
}
/**
 * A judgement of a run, a trace or a block. It never changes; it can be deleted.
 */
export interface Score {
  /**
   * Id of the score. Clients may choose it, so that a repeated request stores one score.
   */
  id: string;
  /**
   * Trace that is scored; null for the score of a run.
   */
  trace_id: TraceId | null;
  /**
   * Block of the trace that is scored; null for the whole trace.
   */
  block_id: BlockId | null;
  /**
   * Run that is scored; null for the score of a trace.
   */
  run: string | null;
  /**
   * Criterion, such as correctness.
   */
  name: string;
  /**
   * Numeric score.
   */
  value: number | null;
  /**
   * Categorical score.
   */
  label: string | null;
  comment: string | null;
  /**
   * Who gave the score; the id of the API key by default.
   */
  author: string | null;
  /**
   * Kind of the author: a person, a model or a program.
   */
  source: "human" | "model" | "code";
  metadata: JSONObject;
  created_at: Timestamp;
}
/**
 * One page of scores.
 */
export interface ScoreList {
  scores: Score[];
  page: Page;
}
/**
 * ExportTraceServiceResponse of OTLP in JSON.
 */
export interface SpanReceipt {
  /**
   * Missing if all spans were stored.
   */
  partialSuccess?: {
    /**
     * Number of spans or blocks that were rejected, as text.
     */
    rejectedSpans: string;
    errorMessage: string;
  };
}
/**
 * One page of search results, those of the newest trace first. If the query is about traces only, there are traces and no hits; otherwise the traces are those of the hits.
 */
export interface SearchResults {
  hits: SearchHit[];
  traces: Trace[];
  page: Page;
}
/**
 * A block that matches a query.
 */
export interface SearchHit {
  trace_id: TraceId;
  block: BlockSkeleton;
  /**
   * Name of the tool, for a call or a result.
   */
  tool: string | null;
  /**
   * One line of the block without escape sequences and control characters: around the first match, or its beginning.
   */
  text: string;
  /**
   * Message of a failed result on one line; of a Python traceback, its last line.
   */
  error: string | null;
}
/**
 * Change of many traces: either tags, or deletion.
 */
export interface BulkInput {
  /**
   * @minItems 1
   * @maxItems 1000
   */
  trace_ids: [TraceId, ...TraceId[]];
  /**
   * @maxItems 100
   */
  add_tags?: string[];
  /**
   * @maxItems 100
   */
  remove_tags?: string[];
  /**
   * Deletes the traces with their blocks and scores.
   */
  delete?: boolean;
}
/**
 * Result of a change of many traces.
 */
export interface BulkReport {
  /**
   * Number of traces that the request has changed or deleted.
   */
  changed: number;
  /**
   * Traces that could not be changed.
   */
  failed: {
    trace_id: TraceId;
    code: string;
    message: string;
  }[];
}

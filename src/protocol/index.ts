export { fromBase64, type JSONObject, type JSONValue, toBase64 } from '../core/index.ts';
export {
  HEARTBEAT_MS,
  IDLE_TIMEOUT_MS,
  LINGER_MS,
  MISSING_STATUSES,
  RESERVED_NAMES,
  SESSION_HEADER,
} from './constants.ts';
export { isOrsError, OrsError, type OrsErrorCode } from './errors.ts';
export {
  ANY_CALL_ID,
  BLOCK_TYPES_BY_ROLE,
  flattenMessages,
  MESSAGE_BLOCK_TYPES,
  serializeMessages,
  withUniqueCallIds,
} from './messages.ts';
export { errorEvent, resultEvents } from './result-events.ts';
export { advantageOf, exceedsBound, leastReaching, reachesBound } from './rewards.ts';
export { describeValue, OutputError, serializeBlocks, serializeObject } from './serialize-blocks.ts';
export { terminalToolInput, terminalToolSpec } from './terminal-tool.ts';
export {
  type Block,
  type Blocks,
  blocksOf,
  type CreateSession,
  type GetTask,
  type GetTaskRange,
  type GroupScore,
  type ImageBlock,
  image,
  isContent,
  joinText,
  type ListTasks,
  type ListToolsOutput,
  type Message,
  type MessageBlock,
  type NumTasks,
  plainPrompt,
  promptMessages,
  type ReasoningBlock,
  type RefusalReason,
  type RunToolError,
  type RunToolOutput,
  type RunToolSuccess,
  readToolSpec,
  type ScoreGroupCandidate,
  type ScoreGroupOutput,
  type SerializedBlock,
  type SerializedMessage,
  type SerializedToolOutput,
  type Split,
  type Task,
  type TerminalTool,
  type TextBlock,
  type ToolCall,
  type ToolCallBlock,
  type ToolOutput,
  type ToolResultBlock,
  type ToolSpec,
  text,
} from './types.ts';
export {
  DetachedImages,
  NO_TEXT,
  omitEmptyText,
  toVisibleContent,
  type VisibleContent,
} from './visible-content.ts';

export { fromBase64, toBase64 } from '../core/index.ts';
export {
  HEARTBEAT_MS,
  IDLE_TIMEOUT_MS,
  LINGER_MS,
  RESERVED_NAMES,
  SESSION_HEADER,
} from './constants.ts';
export { isOrsError, OrsError, type OrsErrorCode } from './errors.ts';
export { resultEvents } from './result-events.ts';
export { advantageOf, exceedsBound, reachesBound } from './rewards.ts';
export {
  type Block,
  type CreateSession,
  type ImageBlock,
  image,
  type JSONObject,
  type JSONValue,
  joinText,
  type RunToolOutput,
  readToolSpec,
  type SerializedBlock,
  type SerializedToolOutput,
  type Split,
  type TextBlock,
  type ToolOutput,
  type ToolSpec,
  text,
} from './types.ts';

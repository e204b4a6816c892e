export { fromBase64, toBase64 } from '../core/index.ts';
export { image, joinText, text } from './blocks.ts';
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
export type {
  Block,
  CreateSession,
  ImageBlock,
  JSONObject,
  JSONValue,
  RunToolOutput,
  SerializedBlock,
  SerializedToolOutput,
  Split,
  TextBlock,
  ToolOutput,
  ToolSpec,
} from './types.ts';

import type {
  BlockId,
  BlockReceipt,
  JSONObject,
  JSONValue,
  MessagePayload,
  ThinkPayload,
  ToolCallPayloadInput,
  ToolResultPayload,
  TraceId,
  TracePatch,
  Trace as TraceRecord,
} from '../../../generated/trace.ts';
import type { FlushReport } from './tally.ts';

/** What every block may have besides its payload. */
interface Annotations {
  /** Chosen by the caller, so that logging it again stores one block. Default: a new one. */
  readonly id?: BlockId;
  /** What the provider of a model sent. */
  readonly raw?: unknown;
  /** Anything of the caller's; `reward` is counted. */
  readonly extra?: JSONObject;
}

export interface MessageLog extends Annotations {
  readonly role: MessagePayload['role'];
  /** Text, or parts in order, such as ORS blocks; never empty. */
  readonly content: MessagePayload['content'] | readonly { readonly type: string }[];
}

export interface ActLog extends Annotations {
  /** A message. */
  readonly parent_block_id: BlockId;
  /** `arguments` may be JSON text; text that is no object is logged as `{"$invalid_json": text}`. */
  readonly payload: ToolCallPayloadInput;
}

export interface ThinkLog extends Annotations {
  /** A message. */
  readonly parent_block_id: BlockId;
  readonly payload: ThinkPayload;
}

export interface ObserveLog extends Annotations {
  /** A tool call. */
  readonly parent_block_id: BlockId;
  /** A delta is logged as it is; keep each within the limit. */
  readonly payload: ToolResultPayload | { readonly call_id?: string; readonly output: JSONValue };
}

/**
 * A block that is on its way, with its id already. Awaiting it sends it at once and gives the receipt: it is on disk.
 * Rejects with a TraceError. Whoever does not await loses nothing: `flush` and `onError` tell.
 */
export type LoggedBlock = Promise<BlockReceipt> & { readonly id: BlockId };

/** Logs one agent run. Blocks arrive in the order of the calls. Source: trace data model, "SDK helpers". */
export interface TraceHandle {
  readonly id: TraceId;
  logMessage(message: MessageLog): LoggedBlock;
  /** A tool call. */
  logAct(act: ActLog): LoggedBlock;
  /** A tool result, or a piece of one. */
  logObserve(observe: ObserveLog): LoggedBlock;
  /** Reasoning. */
  logThink(think: ThinkLog): LoggedBlock;
  /** Changes the trace when all that was logged before is delivered. @throws TraceError */
  update(patch: TracePatch): Promise<TraceRecord>;
  /** Sets the status, `finished` by default. Throws as `update`. */
  finish(patch?: TracePatch): Promise<TraceRecord>;
  /** Waits for the receipts of all that was logged to this trace. Does not reject. */
  flush(): Promise<FlushReport>;
  /** Settles when the client's queue has room. */
  ready(): Promise<void>;
}

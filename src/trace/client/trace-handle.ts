import type {
  BlockId,
  BlockReceipt,
  JSONObject,
  JSONValue,
  MessagePayload,
  Score,
  ScoreInput,
  ThinkPayload,
  ToolCallPayloadInput,
  ToolResultPayload,
  TraceId,
  TraceInput,
  TracePatch,
  Trace as TraceRecord,
} from '../../../generated/trace.ts';
import { errorMessage, jsonProblem, parseExactJson, type Redactor, stringifyJson } from '../../core/index.ts';
import { type BlockWithId, fitsLimits, offloadBlock, splitBlock } from '../fit/index.ts';
import {
  findOversizedField,
  newBlockId,
  newScoreId,
  newTraceId,
  parseArguments,
  type TraceErrorBody,
  toNewBlock,
  validationError,
  withParsedArguments,
} from '../model/index.ts';
import { type JobContent, textJob } from './jobs.ts';
import { createLogState, getLogState, recordCall, recordResult, setLogState } from './log-state.ts';
import { createTraceSender, type FlushReport, type TraceClientContext, type TraceSender } from './outbox.ts';
import { TraceError, toTraceError } from './trace-error.ts';

/** Optional fields of every block. */
interface Annotations {
  /** Id of the block; logging the same id again stores one block. @default a new id */
  readonly id?: BlockId;
  /** The original data of a model provider. */
  readonly raw?: unknown;
  /** Any JSON; a numeric `reward` of an object is added to the rewards of the trace. */
  readonly extra?: JSONValue;
}

/**
 * Argument of `logMessage`.
 *
 * @example
 * const log: MessageLog = { role: 'user', content: 'Hello' };
 * await trace.logMessage(log);
 */
export interface MessageLog extends Annotations {
  readonly role: MessagePayload['role'];
  /** Text, or parts such as ORS blocks; not empty. */
  readonly content: MessagePayload['content'] | readonly { readonly type: string }[];
}

/**
 * Argument of `logAct`.
 *
 * @example
 * const log: ActLog = { parent_block_id: message.id, payload: { name: 'add', arguments: { a: 1, b: 2 } } };
 * trace.logAct(log);
 */
export interface ActLog extends Annotations {
  /** Id of the message that makes the call. */
  readonly parent_block_id: BlockId;
  /**
   * `arguments` can be JSON text, of which empty text means `{}`. Text that is not JSON is logged as
   * `{"$invalid_json": text}`, or rejected with the option `strictArguments`.
   */
  readonly payload: ToolCallPayloadInput;
}

/**
 * Argument of `logThink`.
 *
 * @example
 * const log: ThinkLog = { parent_block_id: message.id, payload: { text: 'Add both numbers.' } };
 * trace.logThink(log);
 */
export interface ThinkLog extends Annotations {
  /** Id of the message that the reasoning belongs to. */
  readonly parent_block_id: BlockId;
  readonly payload: ThinkPayload;
}

/**
 * Argument of `logObserve`.
 *
 * @example
 * const log: ObserveLog = { parent_block_id: call.id, payload: { output: 3 } };
 * trace.logObserve(log);
 */
export interface ObserveLog extends Annotations {
  /** Id of the tool call. */
  readonly parent_block_id: BlockId;
  /** An output or a delta. Large outputs are split or offloaded (option `oversize`); each delta must be within the limit. */
  readonly payload: ToolResultPayload | { readonly call_id?: string; readonly output: JSONValue };
}

/**
 * Argument of `score`; the trace is that of the handle.
 *
 * @example
 * const score: ScoreLog = { name: 'quality', value: 4 };
 */
export type ScoreLog = Omit<ScoreInput, 'trace_id' | 'run'>;

/**
 * A queued block. Awaiting it sends the block at once, and resolves with the receipt when the block is on disk. Rejects
 * with a TraceError. You need not await it: `flush` and `onError` report failures.
 *
 * @example
 * const message: LoggedBlock = trace.logMessage({ role: 'user', content: 'Hello' });
 * await message;
 */
export type LoggedBlock = Promise<BlockReceipt> & { readonly id: BlockId };

/**
 * Logs one agent run. Blocks are stored in the order of the calls. Source: trace data model, "SDK helpers".
 *
 * @example
 * const trace = traces.createTrace({ environment: 'math' });
 * const message = trace.logMessage({ role: 'assistant', content: 'Let me compute that.' });
 * const call = trace.logAct({ parent_block_id: message.id, payload: { name: 'add', arguments: { a: 1, b: 2 } } });
 * trace.logObserve({ parent_block_id: call.id, payload: { output: 3 } });
 * await trace.finish();
 */
export interface TraceHandle {
  readonly id: TraceId;
  /** Logs a message. */
  logMessage(message: MessageLog): LoggedBlock;
  /** Logs a tool call. */
  logAct(act: ActLog): LoggedBlock;
  /** Logs a tool result, or a delta of one. */
  logObserve(observe: ObserveLog): LoggedBlock;
  /** Logs reasoning. */
  logThink(think: ThinkLog): LoggedBlock;
  /**
   * Scores the trace, or one of its blocks, after all blocks that were logged before. Needs a value, a label or a comment.
   *
   * @returns the stored score, which `deleteScore` of the API can delete.
   * @throws TraceError
   * @example
   * await trace.score({ name: 'correctness', value: 1, author: 'ada' });
   */
  score(score: ScoreLog): Promise<Score>;
  /** Changes fields of the trace, after all blocks that were logged before. @throws TraceError */
  update(patch: TracePatch): Promise<TraceRecord>;
  /** Like `update`, with the status `finished` unless the patch has another. @throws TraceError */
  finish(patch?: TracePatch): Promise<TraceRecord>;
  /** Waits until all blocks of this trace are stored or have failed. Does not reject. */
  flush(): Promise<FlushReport>;
  /** Waits until the queue of the client has room. */
  ready(): Promise<void>;
}

/**
 * A trace that is being created. Awaiting it resolves with the handle when the store has created the trace.
 *
 * @example
 * const trace: PendingTrace = traces.createTrace({ name: 'first' });
 * await trace;
 */
export type PendingTrace = TraceHandle & Promise<TraceHandle>;

/** Queues the creation of a trace and returns its handle. */
export function createPendingTrace(context: TraceClientContext, input: TraceInput): PendingTrace {
  const { id = newTraceId() } = input;
  const sender = createTraceSender(context, id);
  const created = sender.send('create', id, () => [
    textJob(id, toJson({ ...input, id }, context.redactor, { trace: input })),
  ]);
  const handle = createHandle(context, sender, id, input);
  const pending = withPromise(
    handle,
    created.then(() => handle),
    sender.flushSoon,
  );
  setLogState(pending, getLogState(handle));
  return pending;
}

/** Returns a handle of an existing trace. */
export const openTrace = (context: TraceClientContext, id: TraceId): TraceHandle =>
  createHandle(context, createTraceSender(context, id), id, {});

function createHandle(context: TraceClientContext, sender: TraceSender, id: TraceId, input: TraceInput): TraceHandle {
  const state = createLogState(id, input, (cause) => context.onError(toTraceError(cause), { id, trace_id: id }));
  function update(patch: TracePatch): Promise<TraceRecord> {
    if (patch.status) state.isFinished = true;
    const updated = sender.send('patch', id, () => [
      textJob(`${id} ${newBlockId()}`, toJson(patch, context.redactor, { patch })),
    ]);
    return withPromise({}, updated as Promise<TraceRecord>, sender.flushSoon);
  }
  const handle: TraceHandle = {
    id,
    logMessage({ role, content, ...rest }) {
      const block = logBlock(context, sender, { ...rest, sub_type: 'MESSAGE', payload: { role, content } });
      state.message = { id: block.id, role, isOver: false };
      return block;
    },
    logAct({ id = newBlockId(), payload, ...rest }) {
      const { call_id = id, name, arguments: args, ...others } = payload;
      const { input, error } = readArguments(args, context.strictArguments);
      recordCall(state, { id, callId: call_id, name, message: rest.parent_block_id }, input);
      // A text would be parsed again.
      const sent = typeof input === 'string' ? JSON.stringify(input) : input;
      const call = { ...others, call_id, name, arguments: sent };
      return logBlock(context, sender, { ...rest, id, sub_type: 'TOOL_CALL', payload: call, error });
    },
    logObserve(observe) {
      const isFirst = recordResult(state, observe.parent_block_id);
      return logBlock(context, sender, { ...observe, sub_type: 'TOOL_RESULT' }, isFirst);
    },
    logThink: (think) => logBlock(context, sender, { ...think, sub_type: 'THINK' }),
    score({ id: scoreId = newScoreId(), ...fields }) {
      const score = { id: scoreId, trace_id: id, ...fields };
      const stored = sender.send('score', scoreId, () => [
        textJob(scoreId, toJson(score, context.redactor, { score: fields })),
      ]);
      return withPromise({}, stored as Promise<Score>, sender.flushSoon);
    },
    update,
    finish: (patch = {}) => update({ status: 'finished', ...patch }),
    flush: sender.flush,
    ready: () => context.outbox.ready(),
  };
  setLogState(handle, state);
  return handle;
}

/** A block before it is serialized. */
interface NewBlockInput {
  readonly id?: string | undefined;
  readonly sub_type: BlockWithId['sub_type'];
  readonly payload: unknown;
  readonly parent_block_id?: string;
  readonly raw?: unknown;
  readonly extra?: unknown;
  /** Reason why the block is not logged. */
  readonly error?: TraceError | undefined;
}

/**
 * Assigns an id, removes secrets, serializes, splits and offloads a block, and queues it.
 *
 * @param isFirstResult false if its call already has a result.
 */
function logBlock(
  context: TraceClientContext,
  sender: TraceSender,
  draft: NewBlockInput,
  isFirstResult = true,
): LoggedBlock {
  const { id = newBlockId(), error, ...rest } = draft;
  const receipt = sender.send('block', id, () => {
    if (error) throw error;
    const { payload, extra } = draft;
    const text = toJson({ id, ...rest }, context.redactor, { payload, extra });
    return toJobs({ id, text, traceId: sender.traceId }, context, isFirstResult);
  });
  return withPromise({ id }, receipt as Promise<BlockReceipt>, sender.flushSoon);
}

interface SerializedBlock {
  readonly id: string;
  readonly text: string;
  readonly traceId: TraceId;
}

/** @throws TraceError PAYLOAD_TOO_LARGE for a field above its limit, with the option `oversize: 'throw'`. */
function toJobs(
  { id, text, traceId }: SerializedBlock,
  { limits, oversize }: TraceClientContext,
  isFirstResult: boolean,
): JobContent[] {
  if (fitsLimits(text.length, limits)) return [textJob(id, text)];
  // Parsed from the text, because the caller can change the logged objects while blobs are hashed.
  const block = parseExactJson(text) as BlockWithId;
  if (oversize === 'throw') {
    const parsed = withParsedArguments(block) as BlockWithId;
    const failure = findOversizedField([{ index: undefined, block: toNewBlock(parsed, traceId) }], limits);
    if (failure) throw storeError(failure);
    return [textJob(id, text)];
  }
  const pieces = splitBlock(block, limits, isFirstResult);
  const size = Math.ceil(text.length / pieces.length);
  return pieces.map((piece) => ({ key: piece.id, content: offloadBlock(piece, limits), size }));
}

/**
 * Serializes a value and masks secrets.
 *
 * @param checked fields that must be JSON without loss.
 * @throws TraceError NOT_JSON with the path of the value.
 */
function toJson(value: object, redactor: Redactor, checked: Readonly<Record<string, unknown>>): string {
  for (const [field, part] of Object.entries(checked)) {
    const problem = part === undefined ? undefined : jsonProblem(part, field);
    if (problem) throw new TraceError('NOT_JSON', `${problem}, which JSON cannot hold`);
  }
  try {
    return stringifyJson(value, redactor.replacer);
  } catch (cause) {
    throw new TraceError('NOT_JSON', `the logged value is not valid JSON: ${errorMessage(cause)}`, { cause });
  }
}

/**
 * Makes an object awaitable. A rejection needs no handler, because `onError` reports it.
 *
 * @param onWait called when a caller starts to wait for the result; `.catch()` does not count.
 */
function withPromise<Parts extends object, T>(
  parts: Parts,
  result: Promise<T>,
  onWait: () => void,
): Parts & Promise<T> {
  result.catch(() => undefined);
  const waiting = (): Promise<T> => {
    onWait();
    return result;
  };
  return {
    ...parts,
    // biome-ignore lint/suspicious/noThenProperty: a plain promise could not report that a caller waits
    then: (onResult, onError) => waiting().then(onResult, onError),
    catch: (onError) => result.catch(onError),
    finally: (onEnd) => waiting().finally(onEnd),
    [Symbol.toStringTag]: 'Promise',
  };
}

/**
 * Parses arguments of a model: empty text becomes `{}`, and text that is not JSON `{"$invalid_json": text}`.
 *
 * @param isStrict returns the error of the store for such text instead.
 */
function readArguments(
  args: JSONValue,
  isStrict: boolean,
): { readonly input: JSONValue; readonly error?: TraceError | undefined } {
  if (typeof args !== 'string') return { input: args };
  const { value, issue } = parseArguments(args);
  if (!issue) return { input: value };
  const [rule, expected, got] = issue;
  const invalid = validationError([{ path: '/payload/arguments', rule, expected, got }]);
  return { input: { $invalid_json: args }, error: isStrict ? storeError(invalid) : undefined };
}

/** Returns the error that the store would respond with. */
const storeError = ({ code, message, http_status: status, details }: TraceErrorBody): TraceError =>
  // The details are JSON.
  new TraceError(code, message, { status, details: details as unknown as JSONObject });

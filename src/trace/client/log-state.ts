import type { BlockId, JSONObject, JSONValue, TraceId, TraceInput } from '../../../generated/trace.ts';
import { canonicalJson } from '../../core/index.ts';
import type { LoggedCall, LoggedItem } from '../conversation/index.ts';

/** A call that was logged through a handle. */
interface HandleCall extends LoggedCall {
  /** Message that made the call. */
  readonly message: BlockId;
  /** Arguments as canonical JSON; undefined once the call has a result or was taken by `takePendingCall`. */
  input: string | undefined;
  results: number;
}

/** State of a trace handle that later blocks depend on. */
export interface LogState {
  readonly traceId: TraceId;
  /** Fields that the trace was created with. */
  readonly input: TraceInput;
  /** The last message; its turn is over when one of its calls has a result. */
  message: { readonly id: BlockId; readonly role: string; isOver: boolean } | undefined;
  /** The last call with each call_id. */
  readonly calls: Map<string, HandleCall>;
  readonly callsById: Map<BlockId, HandleCall>;
  /** Items of the conversation that wrapped clients and sessions have logged, in order. */
  readonly conversation: LoggedItem[];
  /** True if the status was set. */
  isFinished: boolean;
  /** Reports a failure of the recording itself. */
  readonly report: (cause: unknown) => void;
}

export const createLogState = (traceId: TraceId, input: TraceInput, report: (cause: unknown) => void): LogState => ({
  traceId,
  input,
  message: undefined,
  calls: new Map(),
  callsById: new Map(),
  conversation: [],
  isFinished: false,
  report,
});

type CallNames = Pick<HandleCall, 'id' | 'callId' | 'name' | 'message'>;

export function recordCall(state: LogState, names: CallNames, input: JSONValue): void {
  const call = { ...names, input: canonicalJson(input), results: 0 };
  state.calls.set(call.callId, call);
  state.callsById.set(call.id, call);
}

/** Records a result. @returns true if its call has no earlier result. */
export function recordResult(state: LogState, parent: BlockId): boolean {
  if (state.message) state.message.isOver = true;
  const call = state.callsById.get(parent);
  if (!call) return true;
  call.results++;
  call.input = undefined;
  return call.results === 1;
}

/** Returns the first pending call with this name and input of the last turn that has any, and marks it as taken. */
export function takePendingCall(state: LogState, name: string, input: JSONObject): HandleCall | undefined {
  const requested = canonicalJson(input);
  let found: HandleCall | undefined;
  for (const call of state.calls.values()) {
    const isPending = call.name === name && call.input === requested;
    if (isPending && call.message !== found?.message) found = call;
  }
  if (found) found.input = undefined;
  return found;
}

const states = new WeakMap<object, LogState>();

export const setLogState = (handle: object, state: LogState): void => {
  states.set(handle, state);
};

/** Returns the state of a handle. @throws TypeError for other objects. */
export function getLogState(handle: object): LogState {
  const state = states.get(handle);
  if (!state) throw new TypeError('invalid trace: expected a handle of createTrace(...) or trace(id)');
  return state;
}

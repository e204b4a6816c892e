import type { BlockId, JSONObject, TraceId, TraceInput } from '../../../generated/trace.ts';
import { canonicalJson } from '../../core/index.ts';

/** A call that was logged through a handle. */
export interface LoggedCall {
  readonly id: BlockId;
  readonly callId: string;
  readonly name: string;
  /** Its arguments as canonical JSON, until it has a result or is claimed. */
  input: string | undefined;
  results: number;
}

/** What a handle has logged, as far as later blocks depend on it. */
export interface LogState {
  readonly traceId: TraceId;
  /** What the trace was created with. */
  readonly input: TraceInput;
  /** The newest message; a turn is over when a call of it has a result. */
  message: { readonly id: BlockId; readonly role: string; isOver: boolean } | undefined;
  /** The newest call with each call_id. */
  readonly calls: Map<string, LoggedCall>;
  readonly callsById: Map<BlockId, LoggedCall>;
  /** What names each item of the conversation that was logged by a wrapped client or session, in their order. */
  readonly conversation: string[];
  /** Whether its status was set. */
  isFinished: boolean;
  /** Tells of a failure of the recording itself. */
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

export function recordMessage(ledger: LogState, id: BlockId, role: string): void {
  ledger.message = { id, role, isOver: false };
}

export function recordCall(
  ledger: LogState,
  id: BlockId,
  callId: string,
  name: string,
  input: JSONObject | string,
): void {
  const call = { id, callId, name, input: canonicalJson(input), results: 0 };
  ledger.calls.set(callId, call);
  ledger.callsById.set(id, call);
}

/** @returns whether it is the first result of its call, as far as is known. */
export function recordResult(ledger: LogState, parent: BlockId): boolean {
  if (ledger.message) ledger.message.isOver = true;
  const call = ledger.callsById.get(parent);
  if (!call) return true;
  call.results++;
  call.input = undefined;
  return call.results === 1;
}

/** Takes the first call that waits for its result and asks for just this; nobody else gets it. */
export function takePendingCall(ledger: LogState, name: string, input: JSONObject): LoggedCall | undefined {
  const requested = canonicalJson(input);
  for (const call of ledger.calls.values()) {
    if (call.name !== name || call.input !== requested) continue;
    call.input = undefined;
    return call;
  }
  return undefined;
}

const ledgers = new WeakMap<object, LogState>();

export const setLogState = (handle: object, ledger: LogState): void => {
  ledgers.set(handle, ledger);
};

/** @throws TypeError for what is no handle of this package. */
export function getLogState(handle: object): LogState {
  const ledger = ledgers.get(handle);
  if (!ledger) throw new TypeError('that is no trace of createTrace(...) or trace(id)');
  return ledger;
}

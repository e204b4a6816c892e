import type { TraceId, TraceInput, TracePatch, Trace as TraceRecord } from '../../../generated/trace.ts';
import { newBlockId, newTraceId } from '../model/index.ts';
import { createLogState, type LogState, recordCall, recordMessage, recordResult, setLogState } from './ledger.ts';
import { logBlock } from './log-block.ts';
import { createTraceSender, type TraceClientContext, type TraceSender } from './sender.ts';
import { normalizeArguments } from './to-arguments.ts';
import { toJson } from './to-json.ts';
import { toTraceError } from './trace-error.ts';
import type { TraceHandle } from './trace-handle.ts';
import { withPromise } from './with-promise.ts';

/** A trace that is being created. Awaiting it gives its handle once the store has the trace. */
export type PendingTrace = TraceHandle & Promise<TraceHandle>;

/** Creates a trace; blocks can be logged to it at once. */
export function createPendingTrace(context: TraceClientContext, input: TraceInput): PendingTrace {
  const { id = newTraceId() } = input;
  const sender = createTraceSender(context, id);
  const created = sender.send(id, () => {
    const text = toJson({ ...input, id }, context.redactor, { trace: input });
    return [{ kind: 'create', traceId: id, key: id, content: { text, blobs: [] }, size: text.length }];
  });
  const ledger = createLogState(id, input, reporter(context, id));
  const handle = createHandle(context, sender, ledger);
  const pending = withPromise(
    handle,
    created.then(() => handle),
    sender.flushSoon,
  );
  setLogState(pending, ledger);
  return pending;
}

/** A trace that is there already, or that another process creates before anything of this handle arrives. */
export const openTrace = (context: TraceClientContext, id: TraceId): TraceHandle =>
  createHandle(context, createTraceSender(context, id), createLogState(id, {}, reporter(context, id)));

const reporter =
  ({ onError }: TraceClientContext, id: TraceId) =>
  (cause: unknown): void =>
    onError(toTraceError(cause), { id, trace_id: id });

function createHandle(context: TraceClientContext, sender: TraceSender, ledger: LogState): TraceHandle {
  const { traceId } = ledger;
  function update(patch: TracePatch): Promise<TraceRecord> {
    if (patch.status) ledger.isFinished = true;
    const changed = sender.send(traceId, () => {
      const text = toJson(patch, context.redactor, { patch });
      const key = `${traceId} ${newBlockId()}`;
      return [{ kind: 'patch', traceId, key, content: { text, blobs: [] }, size: text.length }];
    });
    return withPromise(
      {},
      changed.then((record) => record as TraceRecord),
      sender.flushSoon,
    );
  }
  const handle: TraceHandle = {
    id: traceId,
    logMessage({ role, content, ...rest }) {
      const draft = { ...rest, sub_type: 'MESSAGE', payload: { role, content } } as const;
      const block = logBlock(context, sender, traceId, draft);
      recordMessage(ledger, block.id, role);
      return block;
    },
    logAct({ id = newBlockId(), payload, ...rest }) {
      // Where the block itself fails, so does what is logged under it.
      const { call_id = id, name, arguments: given, ...others } = payload;
      const input = normalizeArguments(given);
      recordCall(ledger, id, call_id, name, input);
      const draft = { ...rest, id, sub_type: 'TOOL_CALL', payload: { ...others, call_id, name, arguments: input } };
      return logBlock(context, sender, traceId, draft as typeof draft & { sub_type: 'TOOL_CALL' });
    },
    logObserve(observe) {
      const isFirst = recordResult(ledger, observe.parent_block_id);
      return logBlock(context, sender, traceId, { ...observe, sub_type: 'TOOL_RESULT' }, isFirst);
    },
    logThink: (think) => logBlock(context, sender, traceId, { ...think, sub_type: 'THINK' }),
    update,
    finish: (patch = {}) => update({ status: 'finished', ...patch }),
    flush: sender.flush,
    ready: () => context.outbox.ready(),
  };
  setLogState(handle, ledger);
  return handle;
}

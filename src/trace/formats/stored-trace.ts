import type { TraceId, TraceInput } from '../../../generated/trace.ts';
import { type Invalid, validators } from '../../../generated/trace-validators.ts';
import { isRecord } from '../../core/index.ts';
import { newTraceId } from '../model/index.ts';
import { type CheckedBlock, checkImportedBlock } from './check-block.ts';

/** What a store works out by itself, and no client may say. */
const DERIVED_OF_TRACES = new Set([
  ...['task_key', 'reward_sum', 'reward_last', 'reward_max', 'reward_count', 'block_count', 'bytes', 'error_count'],
  ...['created_at', 'finished_at', 'updated_at'],
]);
const DERIVED_OF_BLOCKS = new Set(['trace_id', 'block_type', 'metadata', 'created_at', 'updated_at']);

export type CheckedTrace =
  | { readonly trace: TraceInput & { readonly id: TraceId }; readonly reason?: never }
  | { readonly reason: string; readonly trace?: never };

/**
 * A trace as a store gave it away, as one that may be written: without what stores work out. When it was made and
 * finished comes into `metadata.imported`, unless it was imported there too. One without an id gets one.
 */
export function storedToTraceInput(stored: unknown): CheckedTrace {
  if (!isRecord(stored)) return { reason: 'the trace must be an object' };
  const { created_at, finished_at } = stored;
  const metadata = isRecord(stored.metadata) ? stored.metadata : {};
  const trace = {
    id: newTraceId(),
    ...without(stored, DERIVED_OF_TRACES),
    ...(typeof created_at === 'string' && metadata.imported === undefined
      ? { metadata: { ...metadata, imported: { created_at, finished_at: finished_at ?? null } } }
      : {}),
  };
  if (validators.TraceInput(trace)) return { trace: { ...trace, id: trace.id } };
  return { reason: `the trace is not valid: ${(validators.TraceInput.errors ?? []).map(sentenceOf).join('; ')}` };
}

/** A block as a store gave it away, as one that may be written. */
export function toBlockInput(stored: unknown, traceId: TraceId): CheckedBlock {
  if (!isRecord(stored)) return { reason: 'the block must be an object' };
  const { trace_id = traceId } = stored;
  if (trace_id !== traceId) return { reason: `the block is of another trace than ${traceId}` };
  return checkImportedBlock(without(stored, DERIVED_OF_BLOCKS), traceId);
}

const without = (record: Readonly<Record<string, unknown>>, fields: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !fields.has(field)));

function sentenceOf({ instancePath, message = 'is not valid', params }: Invalid): string {
  const { additionalProperty: field } = params;
  return typeof field === 'string' ? `it has an unknown field ${field}` : `${instancePath || 'it'} ${message}`;
}

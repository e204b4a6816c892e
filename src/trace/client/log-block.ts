import type { BlockReceipt, TraceId } from '../../../generated/trace.ts';
import { type BlockWithId, fitsLimits, offloadBlock, splitBlock } from '../fit/index.ts';
import { newBlockId, type TraceLimits } from '../model/index.ts';
import type { NewTraceJob } from './job.ts';
import type { TraceClientContext, TraceSender } from './sender.ts';
import { toJson } from './to-json.ts';
import type { LoggedBlock } from './trace-handle.ts';
import { withPromise } from './with-promise.ts';

/** A block before it is JSON; an id is made where it has none. */
export interface NewBlockInput {
  readonly id?: string | undefined;
  readonly sub_type: BlockWithId['sub_type'];
  readonly payload: unknown;
  readonly parent_block_id?: string;
  readonly raw?: unknown;
  readonly extra?: unknown;
}

/**
 * Sends a block, as more than one where it is too large.
 *
 * @param isFirstResult whether nothing else is known to hang under its call.
 */
export function logBlock(
  { limits, redactor }: TraceClientContext,
  sender: TraceSender,
  traceId: TraceId,
  draft: NewBlockInput,
  isFirstResult = true,
): LoggedBlock {
  const { id = newBlockId(), ...rest } = draft;
  // The last piece has the id of the whole.
  const receipt = sender.send(id, () => {
    const { payload, extra } = draft;
    return toJobs(id, toJson({ id, ...rest }, redactor, { payload, extra }), traceId, limits, isFirstResult);
  });
  return withPromise({ id }, receipt as Promise<BlockReceipt>, sender.flushSoon);
}

function toJobs(
  id: string,
  text: string,
  traceId: TraceId,
  limits: TraceLimits,
  isFirstResult: boolean,
): NewTraceJob[] {
  const job = { kind: 'block', traceId, size: text.length } as const;
  if (fitsLimits(text.length, limits)) return [{ ...job, key: id, content: { text, blobs: [] } }];
  // A copy of our own: what was logged may be changed by whoever logged it.
  const pieces = splitBlock(JSON.parse(text) as BlockWithId, limits, isFirstResult);
  const size = Math.ceil(text.length / pieces.length);
  return pieces.map((piece) => ({ ...job, size, key: piece.id, content: offloadBlock(piece, limits) }));
}

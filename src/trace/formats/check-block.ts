import type { BlockInput, TraceId } from '../../../generated/trace.ts';
import { validateBlock } from '../model/index.ts';

/** A block that is valid by itself, or what is wrong with it. */
export type CheckedBlock =
  | { readonly block: BlockInput; readonly reason?: never }
  | { readonly reason: string; readonly block?: never };

export function checkImportedBlock(block: unknown, traceId: TraceId): CheckedBlock {
  const reasons: string[] = [];
  validateBlock(block, traceId, (path, _rule, expected, got) => {
    reasons.push(`${path || 'the block'} must be ${expected}, not ${got}`);
  });
  const [reason] = reasons;
  // The rules have just held it against the form of a block.
  return reason === undefined ? { block: block as BlockInput } : { reason };
}

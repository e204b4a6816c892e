import { bytesOver } from './bytes.ts';
import { fieldTooLarge, type PayloadTooLargeBody } from './failures.ts';
import type { TraceLimits } from './limits.ts';
import type { PlacedBlock } from './link-rules.ts';
import type { NewBlock } from './new-block.ts';

interface LimitedField {
  readonly field: PayloadTooLargeBody['details']['field'];
  readonly value: unknown;
  readonly limit: keyof TraceLimits;
}

/** Tells the first block whose limited field has more bytes than it may. */
export function findOversizedField(
  blocks: readonly PlacedBlock[],
  limits: TraceLimits,
): PayloadTooLargeBody | undefined {
  for (const { index, block } of blocks) {
    const { field, value, limit } = limitedField(block);
    const limit_bytes = limits[limit];
    const actual_bytes = bytesOver(limit_bytes, value);
    if (actual_bytes === undefined) continue;
    const { sub_type, trace_id, parent_block_id } = block;
    return fieldTooLarge({ index }, { sub_type, field, limit_bytes, actual_bytes, trace_id, parent_block_id });
  }
  return undefined;
}

function limitedField({ sub_type, payload }: NewBlock): LimitedField {
  if (sub_type === 'MESSAGE') return { field: 'content', value: payload.content, limit: 'message' };
  if (sub_type === 'THINK') return { field: 'text', value: payload.text, limit: 'think' };
  if (sub_type === 'TOOL_CALL') return { field: 'arguments', value: payload.arguments, limit: 'toolArguments' };
  const { output, delta } = payload;
  if (delta === undefined || delta === null) return { field: 'output', value: output, limit: 'toolResult' };
  return { field: 'delta', value: delta, limit: 'toolResult' };
}

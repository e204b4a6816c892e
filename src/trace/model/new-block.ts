import type { Block, BlockId, BlockInput, JSONValue, TraceId } from '../../../generated/trace.ts';
import { canonicalJson, isRecord } from '../../core/index.ts';
import { BLOCK_TYPES } from './block-rules.ts';
import { parseArguments } from './parse-arguments.ts';

type StoreField = 'metadata' | 'created_at' | 'updated_at';
type OmitStoreFields<B> = B extends Block ? Omit<B, StoreField> : never;

/** A block as it is to be stored, but for what the store adds. */
export type NewBlock = OmitStoreFields<Block>;

/** A call whose arguments are JSON text, with what they say in their place; whatever else is given, as it is. */
export function withParsedArguments(block: unknown): unknown {
  if (!isRecord(block) || block.sub_type !== 'TOOL_CALL' || !isRecord(block.payload)) return block;
  if (typeof block.payload.arguments !== 'string') return block;
  const { value } = parseArguments(block.payload.arguments);
  return value === undefined ? block : { ...block, payload: { ...block.payload, arguments: value } };
}

/** What a client wrote, checked, with its arguments parsed and all that it may leave out. */
export function toNewBlock(input: BlockInput, traceId: TraceId, newId: () => BlockId): NewBlock {
  const { id = newId(), sub_type, payload, parent_block_id = null, raw = null, extra = null } = input;
  const block_type = BLOCK_TYPES[sub_type];
  // The rules have held the fields against the sub_type; TypeScript forgets which belongs to which.
  return { id, trace_id: traceId, block_type, sub_type, parent_block_id, payload, raw, extra } as NewBlock;
}

/**
 * All that the author of a block chose, as text that is the same for equal blocks: whether fields that may be null are
 * null or absent, the order of keys and a block_type that follows from the sub_type make no difference.
 */
export function canonicalContent(block: unknown, traceId: TraceId): string {
  if (!isRecord(block)) return canonicalJson(block);
  const { id: _, trace_id, block_type, parent_block_id, raw, extra, ...rest } = block;
  const expected = BLOCK_TYPES[block.sub_type as keyof typeof BLOCK_TYPES];
  const chosen = Object.entries({
    ...rest,
    trace_id: trace_id === traceId ? undefined : trace_id,
    block_type: block_type === expected ? undefined : block_type,
    parent_block_id: parent_block_id ?? undefined,
    raw: (raw as JSONValue) ?? undefined,
    extra: extra ?? undefined,
  });
  return canonicalJson(Object.fromEntries(chosen));
}

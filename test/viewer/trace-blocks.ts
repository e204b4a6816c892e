import type { BlockSkeleton, SubType } from '../../generated/trace.ts';

const TYPES = { MESSAGE: 'MESSAGE', THINK: 'ACT', TOOL_CALL: 'ACT', TOOL_RESULT: 'OBSERVE' } as const;

/** Creates a skeleton with defaults for a test. */
export const skeleton = (id: string, sub_type: SubType, changes: Partial<BlockSkeleton> = {}): BlockSkeleton => ({
  ...{ id, sub_type, block_type: TYPES[sub_type], parent_block_id: null, call_id: null, seq: null, name: null },
  ...{ role: null, bytes: 10, reward: null, is_error: false, preview: id, created_at: '0' },
  ...changes,
});

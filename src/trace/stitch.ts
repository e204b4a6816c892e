import type {
  Block,
  BlockId,
  MessageBlock,
  StitchedMessage,
  StitchedToolCall,
  StitchedTrace,
  ThinkBlock,
  ToolCallBlock,
  ToolResultBlock,
} from '../../generated/trace.ts';
import { assemble } from './assemble.ts';
import { compareBlocks } from './order.ts';

export interface StitchOptions {
  /** Whether each call has its results `assembled`; doubles their bytes. Default false. */
  readonly assemble?: boolean;
}

type Tree = Pick<StitchedTrace, 'messages' | 'orphans'>;

/**
 * The blocks of one trace, in any order, as a tree: messages, under each its thoughts and calls, under each call its
 * results. Every list is in the order of `compareBlocks`. Blocks whose parent is not there, or of a wrong kind, are
 * orphans; results stay under their call, also where that is one. Source: trace data model, stitched view.
 */
export function stitch(blocks: readonly Block[], { assemble: isAssembled = false }: StitchOptions = {}): Tree {
  const sorted = [...blocks].sort(compareBlocks);
  const messages = sorted.filter((block) => block.sub_type === 'MESSAGE');
  const results = childrenOf(sorted.filter((block) => block.sub_type === 'TOOL_RESULT'));
  const calls = sorted.filter((block) => block.sub_type === 'TOOL_CALL');
  const stitchedCalls = childrenOf(calls.map((call) => stitchCall(call, take(results, call.id), isAssembled)));
  const thinks = childrenOf(sorted.filter((block) => block.sub_type === 'THINK'));
  return {
    messages: messages.map((message) =>
      stitchMessage(message, take(thinks, message.id), take(stitchedCalls, message.id)),
    ),
    // What nobody has taken hangs under nothing.
    orphans: { tool_calls: rest(stitchedCalls), tool_results: rest(results), thinks: rest(thinks) },
  };
}

function stitchMessage(message: MessageBlock, thinks: ThinkBlock[], tool_calls: StitchedToolCall[]): StitchedMessage {
  const child_order = [...thinks, ...tool_calls].sort(compareBlocks).map(({ id }) => id);
  return { ...message, thinks, tool_calls, child_order };
}

function stitchCall(call: ToolCallBlock, tool_results: ToolResultBlock[], isAssembled: boolean): StitchedToolCall {
  const assembled = isAssembled ? { assembled: assemble(tool_results) } : {};
  return { ...call, tool_results, ...assembled };
}

type Children<B> = Map<BlockId, B[]>;

function childrenOf<B extends Block>(blocks: readonly B[]): Children<B> {
  const children: Children<B> = new Map();
  for (const block of blocks) {
    const siblings = children.get(block.parent_block_id ?? '');
    if (siblings) siblings.push(block);
    else children.set(block.parent_block_id ?? '', [block]);
  }
  return children;
}

function take<B>(children: Children<B>, parent: BlockId): B[] {
  const taken = children.get(parent) ?? [];
  children.delete(parent);
  return taken;
}

const rest = <B extends Block>(children: Children<B>): B[] => [...children.values()].flat().sort(compareBlocks);

import type {
  AssembledResult,
  Block,
  BlockId,
  BlockSkeleton,
  StitchedTrace,
  SubType,
  ToolResultBlock,
} from '../../../generated/trace.ts';
import { groupBy } from '../../core/index.ts';
import { assemble } from './assemble.ts';
import { compareBlocks, comparePositions, type SiblingPosition } from './order.ts';

export interface StitchOptions {
  /** Whether each call has its results `assembled`; doubles their bytes. Default false. */
  readonly assemble?: boolean;
}

type BlockTree = Pick<StitchedTrace, 'messages' | 'orphans'>;

/**
 * The blocks of one trace, in any order, as a tree: messages, under each its thoughts and calls, under each call its
 * results. Every list is in the order of `compareBlocks`. Blocks whose parent is not there, or of a wrong kind, are
 * orphans; results stay under their call, also where that is one. Source: trace data model, stitched view.
 */
export function stitch(blocks: readonly Block[], { assemble: isAssembled = false }: StitchOptions = {}): BlockTree {
  const joined = (results: readonly Block[]) =>
    isAssembled ? { assembled: assemble(results as readonly ToolResultBlock[]) } : {};
  // Each list holds blocks of one sub_type.
  return grow(blocks, compareBlocks, joined) as BlockTree;
}

/** The same of whatever is known to stand somewhere. */
export const stitchPositions = <B extends TreeLeaf & SiblingPosition>(blocks: readonly B[]): StitchedTree<B> =>
  grow(blocks, comparePositions, () => ({}));

type TreeLeaf = Pick<BlockSkeleton, 'id' | 'sub_type' | 'parent_block_id'>;
type CallNode<B> = B & { tool_results: B[]; assembled?: AssembledResult };
type MessageNode<B> = B & { thinks: B[]; tool_calls: CallNode<B>[]; child_order: BlockId[] };

export interface StitchedTree<B> {
  readonly messages: MessageNode<B>[];
  readonly orphans: { readonly tool_calls: CallNode<B>[]; readonly tool_results: B[]; readonly thinks: B[] };
}

function grow<B extends TreeLeaf>(
  blocks: readonly B[],
  compare: (one: B, other: B) => number,
  joined: (results: readonly B[]) => { assembled?: AssembledResult },
): StitchedTree<B> {
  const sorted = [...blocks].sort(compare);
  const of = (subType: SubType) => sorted.filter((block) => block.sub_type === subType);
  const results = childrenOf(of('TOOL_RESULT'));
  const calls = childrenOf(
    of('TOOL_CALL').map((call): CallNode<B> => {
      const tool_results = take(results, call.id);
      return { ...call, tool_results, ...joined(tool_results) };
    }),
  );
  const thinks = childrenOf(of('THINK'));
  const messages = of('MESSAGE').map((message): MessageNode<B> => {
    const own = { thinks: take(thinks, message.id), tool_calls: take(calls, message.id) };
    const child_order = [...own.thinks, ...own.tool_calls].sort(compare).map(({ id }) => id);
    return { ...message, ...own, child_order };
  });
  // What nobody has taken hangs under nothing.
  const rest = <C extends B>(children: ChildLists<C>): C[] => [...children.values()].flat().sort(compare);
  return { messages, orphans: { tool_calls: rest(calls), tool_results: rest(results), thinks: rest(thinks) } };
}

type ChildLists<B> = Map<BlockId, B[]>;

const childrenOf = <B extends TreeLeaf>(blocks: readonly B[]): ChildLists<B> =>
  groupBy(blocks, (block) => block.parent_block_id ?? '');

function take<B>(children: ChildLists<B>, parent: BlockId): B[] {
  const taken = children.get(parent) ?? [];
  children.delete(parent);
  return taken;
}

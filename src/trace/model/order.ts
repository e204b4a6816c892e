import type { Block, BlockSkeleton } from '../../../generated/trace.ts';
import { isSeq } from './payload-rules.ts';

/** What the place of a block among its siblings depends on. */
type OrderedBlock = Pick<Block, 'id' | 'created_at'> & { readonly payload: object };

/**
 * Orders blocks that hang under the same one: by `payload.seq`, those without one last, then by created_at, then by id.
 * Total, since ids are unique. Source: trace data model, "Results are sorted by".
 */
export const compareBlocks = (one: OrderedBlock, other: OrderedBlock): number =>
  compare(seqOrLast(one), seqOrLast(other)) || compareTimes(one, other);

const seqOrLast = (block: OrderedBlock): number => siblingSeq(block) ?? Number.POSITIVE_INFINITY;

/** The same of outlines. */
export const compareSkeletons = (one: SkeletonOrderKey, other: SkeletonOrderKey): number =>
  compare(one.seq ?? Number.POSITIVE_INFINITY, other.seq ?? Number.POSITIVE_INFINITY) || compareTimes(one, other);

/** The same of places: in a trace the later block has the later time. */
export const comparePositions = (one: SiblingPosition, other: SiblingPosition): number =>
  compare(one.seq ?? Number.POSITIVE_INFINITY, other.seq ?? Number.POSITIVE_INFINITY) || one.ord - other.ord;

/** Where a block stands among its siblings, and in the order of writing. */
export type SiblingPosition = Pick<BlockSkeleton, 'seq'> & { readonly ord: number };

export type SkeletonOrderKey = Pick<BlockSkeleton, 'id' | 'created_at' | 'seq'>;

const compareTimes = (
  one: Pick<OrderedBlock, 'id' | 'created_at'>,
  other: Pick<OrderedBlock, 'id' | 'created_at'>,
): number => compare(one.created_at, other.created_at) || compare(one.id, other.id);

/** Only a whole number from 0 counts; messages, calls and thoughts may have a seq of any kind. */
export function siblingSeq({ payload }: Pick<OrderedBlock, 'payload'>): number | null {
  const { seq } = payload as { readonly seq?: unknown };
  return isSeq(seq) ? seq : null;
}

/** By code units; ids and times are ASCII. */
const compare = <T extends string | number>(one: T, other: T): number => (one < other ? -1 : one > other ? 1 : 0);

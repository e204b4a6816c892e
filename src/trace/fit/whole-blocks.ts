import type { Block } from '../../../generated/trace.ts';
import { forEach, holdTrace } from '../model/index.ts';
import { restoreTrace } from './whole-trace.ts';
import type { ReadBlob } from './whole-values.ts';

/** Blocks with everything in its place. @param blocks all of a trace, in the order in which they were written. */
export async function restoreBlocks(blocks: readonly Block[], readBlob: ReadBlob): Promise<Block[]> {
  const { layout, read } = await restoreTrace(holdTrace(blocks), readBlob);
  const whole: Block[] = [];
  await forEach(read(layout.ordinals()), ({ block }) => {
    whole.push(block);
  });
  return whole;
}

import type { Block } from '../../../generated/trace.ts';
import { createMemoryTraceReader, forEachBatch } from '../model/index.ts';
import { restoreTrace } from './whole-trace.ts';
import type { ReadBlob } from './whole-values.ts';

/** Blocks with everything in its place. @param blocks all of a trace, in the order in which they were written. */
export async function restoreBlocks(blocks: readonly Block[], readBlob: ReadBlob): Promise<Block[]> {
  const { layout, read } = await restoreTrace(createMemoryTraceReader(blocks), readBlob);
  const whole: Block[] = [];
  await forEachBatch(read(layout.ordinals()), ({ block }) => {
    whole.push(block);
  });
  return whole;
}

import type { Block } from '../../../generated/trace.ts';
import { forEach, holdTrace } from '../model/index.ts';
import { wholeTrace } from './whole-trace.ts';
import type { ReadBlob } from './whole-values.ts';

/** Blocks with everything in its place. @param blocks all of a trace, in the order in which they were written. */
export async function wholeBlocks(blocks: readonly Block[], readBlob: ReadBlob): Promise<Block[]> {
  const { layout, read } = await wholeTrace(holdTrace(blocks), readBlob);
  const whole: Block[] = [];
  await forEach(read(layout.places()), ({ block }) => {
    whole.push(block);
  });
  return whole;
}

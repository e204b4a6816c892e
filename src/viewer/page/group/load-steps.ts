import type { Block, BlockSkeleton, Trace } from '../../../../generated/trace.ts';
import { answerOf, api } from '../api/store.ts';
import { type Step, stepsOf, stepsOfMessages } from './steps.ts';

/** The steps of one trace, as far as they are shown. */
export interface Steps {
  readonly steps: readonly Step[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

/** More steps than these are not compared side by side. */
export const MOST_STEPS = 1_000;
const PAGE = 1_000;
/** Results may come in pieces. */
const RESULT_PAGES = 5;
/** The calls of larger traces are told apart by the beginning of their arguments. */
const WHOLE_BYTES = 8 * 1024 * 1024;

type Filter = { readonly sub_type: 'TOOL_CALL' | 'TOOL_RESULT' | 'MESSAGE'; readonly fields: 'all' | 'skeleton' };

export async function loadSteps(org: string, { id, bytes }: Trace, signal: AbortSignal): Promise<Steps> {
  const read = (filter: Filter, pages: number) => readBlocks(org, id, filter, pages, signal);
  const fields = bytes <= WHOLE_BYTES ? 'all' : 'skeleton';
  const [calls, results] = await Promise.all([
    read({ sub_type: 'TOOL_CALL', fields }, 1),
    read({ sub_type: 'TOOL_RESULT', fields: 'skeleton' }, RESULT_PAGES),
  ]);
  if (calls.blocks.length > 0) return { steps: stepsOf(calls.blocks, results.blocks), isCut: calls.isCut };
  const messages = await read({ sub_type: 'MESSAGE', fields: 'skeleton' }, 1);
  return { steps: stepsOfMessages(messages.blocks), isCut: messages.isCut };
}

async function readBlocks(org: string, traceId: string, filter: Filter, pages: number, signal: AbortSignal) {
  const blocks: (Block | BlockSkeleton)[] = [];
  let after = 0;
  for (let page = 0; page < pages; page++) {
    const params = { path: { org, traceId }, query: { ...filter, after, limit: PAGE } };
    const answer = await answerOf(api.listBlocks({ params, signal }));
    // The types of the client are those of the same document, spelled out.
    blocks.push(...(answer.blocks as (Block | BlockSkeleton)[]));
    if (answer.page.next_cursor === null) return { blocks, isCut: false };
    after = Number(answer.page.next_cursor);
  }
  return { blocks, isCut: true };
}

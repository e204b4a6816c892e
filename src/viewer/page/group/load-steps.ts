import type { Block, BlockSkeleton, Trace } from '../../../../generated/trace.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { type AgentStep, callsToSteps, messagesToSteps } from './steps.ts';

/** The steps of one trace, as far as they are shown. */
export interface TraceSteps {
  readonly steps: readonly AgentStep[];
  /** Whether there are more. */
  readonly isTruncated: boolean;
}

/** More steps than these are not compared side by side. */
export const MAX_STEPS = 1_000;
const PAGE = 1_000;
/** Results may come in pieces. */
const RESULT_PAGES = 5;
/** The calls of larger traces are told apart by the beginning of their arguments. */
const WHOLE_BYTES = 8 * 1024 * 1024;

type StepFilter = { readonly sub_type: 'TOOL_CALL' | 'TOOL_RESULT' | 'MESSAGE'; readonly fields: 'all' | 'skeleton' };

export async function loadSteps(org: string, { id, bytes }: Trace, signal: AbortSignal): Promise<TraceSteps> {
  const read = (filter: StepFilter, pages: number) => readBlocks(org, id, filter, pages, signal);
  const fields = bytes <= WHOLE_BYTES ? 'all' : 'skeleton';
  const [calls, results] = await Promise.all([
    read({ sub_type: 'TOOL_CALL', fields }, 1),
    read({ sub_type: 'TOOL_RESULT', fields: 'skeleton' }, RESULT_PAGES),
  ]);
  if (calls.blocks.length > 0) return { steps: callsToSteps(calls.blocks, results.blocks), isTruncated: calls.isCut };
  const messages = await read({ sub_type: 'MESSAGE', fields: 'skeleton' }, 1);
  return { steps: messagesToSteps(messages.blocks), isTruncated: messages.isCut };
}

async function readBlocks(org: string, traceId: string, filter: StepFilter, pages: number, signal: AbortSignal) {
  const blocks: (Block | BlockSkeleton)[] = [];
  let after = 0;
  for (let page = 0; page < pages; page++) {
    const params = { path: { org, traceId }, query: { ...filter, after, limit: PAGE } };
    const response = await unwrapResponse(traceApi.listBlocks({ params, signal }));
    // The types of the client are those of the same document, spelled out.
    blocks.push(...(response.blocks as (Block | BlockSkeleton)[]));
    if (response.page.next_cursor === null) return { blocks, isCut: false };
    after = Number(response.page.next_cursor);
  }
  return { blocks, isCut: true };
}

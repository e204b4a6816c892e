import type { Group, Page, Run, Trace } from '../../../../generated/trace.ts';
import type { TraceApiRequest, TraceApiRequester } from '../api.ts';

interface PageByOperation {
  readonly listTraces: { readonly traces: readonly Trace[]; readonly page: Page };
  readonly listRuns: { readonly runs: readonly Run[]; readonly page: Page };
  readonly listGroups: { readonly groups: readonly Group[]; readonly page: Page };
}

/** The most that a store gives at a time. */
const MAX_PAGE_SIZE = 1000;

/** Pages of a list until its end, or until so many items could be in them. */
export async function* listPages<Operation extends keyof PageByOperation>(
  api: TraceApiRequester,
  operation: Operation,
  query: NonNullable<TraceApiRequest['query']> = {},
  max = Number.POSITIVE_INFINITY,
): AsyncGenerator<PageByOperation[Operation]> {
  let cursor: string | null = null;
  for (let left = max; left > 0; left -= MAX_PAGE_SIZE) {
    const place: { cursor?: string } = cursor === null ? {} : { cursor };
    const limit = Math.min(left, MAX_PAGE_SIZE);
    // The store's answers follow its specification.
    const page = (await api.json(operation, { query: { ...query, ...place, limit } })) as PageByOperation[Operation];
    yield page;
    cursor = page.page.next_cursor;
    if (cursor === null) return;
  }
}

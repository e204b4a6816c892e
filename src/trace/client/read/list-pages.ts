import type { Group, Page, Run, Trace } from '../../../../generated/trace.ts';
import type { Api, ApiRequest } from '../api.ts';

interface Lists {
  readonly listTraces: { readonly traces: readonly Trace[]; readonly page: Page };
  readonly listRuns: { readonly runs: readonly Run[]; readonly page: Page };
  readonly listGroups: { readonly groups: readonly Group[]; readonly page: Page };
}

/** The most that a store gives at a time. */
const LARGEST_PAGE = 1000;

/** Pages of a list until its end, or until so many items could be in them. */
export async function* listPages<Operation extends keyof Lists>(
  api: Api,
  operation: Operation,
  query: NonNullable<ApiRequest['query']> = {},
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Lists[Operation]> {
  let cursor: string | null = null;
  for (let left = most; left > 0; left -= LARGEST_PAGE) {
    const place: { cursor?: string } = cursor === null ? {} : { cursor };
    const limit = Math.min(left, LARGEST_PAGE);
    // The store's answers follow its specification.
    const page = (await api.json(operation, { query: { ...query, ...place, limit } })) as Lists[Operation];
    yield page;
    cursor = page.page.next_cursor;
    if (cursor === null) return;
  }
}

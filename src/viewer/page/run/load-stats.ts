import type { RunList, RunStats } from '../../../../generated/trace.ts';
import { RequestError } from '../api/failure.ts';
import { traceApi, unwrapResponse } from '../api/store.ts';
import { mergeEqualBins } from './bins.ts';

const BINS = 24;

/** Whether a name can stand in a path: browsers take `.` and `..` out of it, escaped or not. */
export const hasPath = (run: string): boolean => run !== '.' && run !== '..';

/** A run as it is listed, without its steps and bins, where no path can name it. */
export async function loadStats(org: string, run: string, signal: AbortSignal): Promise<RunStats> {
  if (hasPath(run)) {
    const params = { path: { org, run }, query: { bins: BINS } };
    return mergeEqualBins(await unwrapResponse(traceApi.runStats({ params, signal })));
  }
  let cursor: string | null | undefined;
  do {
    const query = { q: run, limit: 1_000, ...(cursor && { cursor }) };
    const response: RunList = await unwrapResponse(traceApi.listRuns({ params: { path: { org }, query }, signal }));
    const found = response.runs.find((each) => each.run === run);
    if (found) return { run: found, edges: [], histogram: [], steps: [] };
    cursor = response.page.next_cursor;
  } while (cursor);
  throw new RequestError('missing', 404, `there is no run '${run}'`);
}

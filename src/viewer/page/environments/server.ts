import { createOrsClient, type OrsClient } from '../../../../generated/ors-client.ts';
import type { Split, ToolSpec } from '../../../protocol/index.ts';
import { keyHeaders, SERVER_URL, unwrapResponse } from '../api/store.ts';

/** The standard's operations of this server: one method per operation. */
export const ors: OrsClient = createOrsClient({
  baseUrl: SERVER_URL,
  fetch: (request) => fetch(request, { headers: { ...Object.fromEntries(request.headers), ...keyHeaders() } }),
});

const of = (environment: string) => ({ path: { env_name: environment } });

export const listEnvironments = (signal: AbortSignal): Promise<string[]> =>
  unwrapResponse(ors.listEnvironments({ signal }));

/** A split, with how many tasks it has. */
export interface ViewerSplit extends Split {
  readonly tasks: number;
}

export async function listSplits(environment: string, signal: AbortSignal): Promise<readonly ViewerSplit[]> {
  const splits = await unwrapResponse(ors.listSplits({ params: of(environment), signal }));
  return Promise.all(
    splits.map(async (split) => {
      const body = { split: split.name };
      const { num_tasks } = await unwrapResponse(ors.countTasks({ params: of(environment), body, signal }));
      return { ...split, tasks: num_tasks };
    }),
  );
}

export async function listTools(environment: string, signal: AbortSignal): Promise<readonly ToolSpec[]> {
  const { tools } = await unwrapResponse(ors.listTools({ params: of(environment), signal }));
  return tools;
}

/** The tasks from `start` until before `stop`. */
export async function fetchTasks(
  environment: string,
  range: { readonly split: string; readonly start: number; readonly stop: number },
  signal: AbortSignal,
) {
  const { tasks } = await unwrapResponse(ors.getTaskRange({ params: of(environment), body: range, signal }));
  return tasks;
}

import { createOrsClient, type OrsClient } from '../../../../generated/ors-client.ts';
import type { Split, TerminalTool, ToolSpec } from '../../../protocol/index.ts';
import { SERVER_URL, unwrapResponse, withApiKey } from '../api/store.ts';

/** Client of the operations of the standard. */
export const ors: OrsClient = createOrsClient({
  baseUrl: SERVER_URL,
  fetch: (request) => fetch(withApiKey(request)),
});

const of = (environment: string) => ({ path: { env_name: environment } });

export const listEnvironments = (signal: AbortSignal): Promise<string[]> =>
  unwrapResponse(ors.listEnvironments({ signal }));

/** Split with the number of its tasks. */
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

/** Splits of an environment, and what all of its tasks share. */
export interface DescribedEnvironment {
  readonly splits: readonly ViewerSplit[];
  readonly tools: readonly ToolSpec[];
  /** Tool that grades the final message; null if there is none. */
  readonly terminalTool: TerminalTool | null;
}

export async function describeEnvironment(environment: string, signal: AbortSignal): Promise<DescribedEnvironment> {
  const [splits, { tools, terminal_tool = null }] = await Promise.all([
    listSplits(environment, signal),
    unwrapResponse(ors.listTools({ params: of(environment), signal })),
  ]);
  return { splits, tools, terminalTool: terminal_tool };
}

/** Returns the tasks from `start` up to, but not including, `stop`. */
export async function fetchTasks(
  environment: string,
  range: { readonly split: string; readonly start: number; readonly stop: number },
  signal: AbortSignal,
) {
  const { tasks } = await unwrapResponse(ors.getTaskRange({ params: of(environment), body: range, signal }));
  return tasks;
}

import type { RemoteEnvironment } from '../../client/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import type { ServerConnection } from '../remote/connect.ts';
import { withKnownSplit } from '../remote/open-session.ts';
import { safeJson } from '../terminal/safe-json.ts';

const DEFAULT_AMOUNT = 10;

export interface TaskRange {
  readonly split: string;
  readonly start: number;
  /** Index after the last. */
  readonly stop: number;
}

export interface ListedTaskPage {
  readonly environment: string;
  readonly split: string;
  readonly tasks: readonly { readonly index: number; readonly task: JSONObject }[];
}

/** The range that --start and --stop name; ten tasks where there is no --stop. */
export const toTaskRange = (split: string, start = 0, stop = start + DEFAULT_AMOUNT): TaskRange => ({
  split,
  start,
  stop,
});

export function fetchTaskPage(
  environment: RemoteEnvironment,
  { split, start, stop }: TaskRange,
  ask: ServerConnection['request'],
): Promise<ListedTaskPage> {
  return withKnownSplit(environment, split, ask, async (signal) => {
    const tasks: { index: number; task: JSONObject }[] = [];
    for await (const { index, task } of environment.tasks(split, { start, stop, signal })) tasks.push({ index, task });
    return { environment: environment.name, split, tasks };
  });
}

/** A line per task: its index and its JSON. */
export function showTasks({ tasks }: ListedTaskPage): string {
  const column = String(tasks.at(-1)?.index ?? 0).length;
  return tasks.map(({ index, task }) => `${String(index).padStart(column)}  ${safeJson(task)}\n`).join('');
}

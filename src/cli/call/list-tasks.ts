import type { RemoteEnvironment } from '../../client/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import type { Connection } from '../remote/connect.ts';
import { withKnownSplit } from '../remote/open-session.ts';
import { safeJson } from '../terminal/safe-json.ts';

const DEFAULT_AMOUNT = 10;

export interface TaskRange {
  readonly split: string;
  readonly start: number;
  /** Index after the last. */
  readonly stop: number;
}

export interface TaskPage {
  readonly environment: string;
  readonly split: string;
  readonly tasks: readonly { readonly index: number; readonly task: JSONObject }[];
}

/** The range that --start and --stop name; ten tasks where there is no --stop. */
export const rangeOf = (split: string, start = 0, stop = start + DEFAULT_AMOUNT): TaskRange => ({ split, start, stop });

export function listTasks(
  environment: RemoteEnvironment,
  { split, start, stop }: TaskRange,
  ask: Connection['ask'],
): Promise<TaskPage> {
  return withKnownSplit(environment, split, ask, async (signal) => {
    const tasks: { index: number; task: JSONObject }[] = [];
    for await (const { index, task } of environment.tasks(split, { start, stop, signal })) tasks.push({ index, task });
    return { environment: environment.name, split, tasks };
  });
}

/** A line per task: its index and its JSON. */
export function showTasks({ tasks }: TaskPage): string {
  const column = String(tasks.at(-1)?.index ?? 0).length;
  return tasks.map(({ index, task }) => `${String(index).padStart(column)}  ${safeJson(task)}\n`).join('');
}

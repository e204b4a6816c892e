import { type Awaitable, andThen, appendAll, canonicalJson } from '../core/index.ts';
import { type JSONObject, OrsError } from '../protocol/index.ts';
import { describeIssues } from '../schema/index.ts';
import type { Environment } from './define-environment.ts';
import { type SplitTasks, validateTask } from './tasks.ts';

/** Returns the tasks of a split. @throws OrsError bad_request with the names of the existing splits. */
export function findSplit({ splitTasks, name }: Environment, split: string): SplitTasks {
  const source = splitTasks.get(split);
  if (source) return source;
  throw new OrsError('bad_request', `unknown split '${split}'; '${name}' has: ${[...splitTasks.keys()].join(', ')}`);
}

/** Returns the part of a task that clients may see. */
export function publicTask({ hooks, name }: Environment, task: JSONObject): JSONObject {
  return hooks.publicTask ? validateTask(hooks.publicTask(task as never), `environment '${name}', publicTask`) : task;
}

/** Returns the full task of an index. @throws OrsError bad_request if the index is out of range. */
export function getTaskAt(environment: Environment, split: string, index: number): Awaitable<JSONObject> {
  const source = findSplit(environment, split);
  return andThen(source.count(), (count) => {
    if (index < count) return source.get(index);
    const range = count === 0 ? 'it has no tasks' : `its indices are 0 to ${count - 1}`;
    throw new OrsError('bad_request', `index ${index} is out of range for split '${split}'; ${range}`);
  });
}

/**
 * Returns the full task for a task that a client sent: restores it if the environment hides a part of its tasks, and
 * validates it by the schema of the task.
 *
 * @throws OrsError bad_request if it is not a task of the environment.
 */
export async function resolveTask(environment: Environment, task: JSONObject): Promise<unknown> {
  const { hooks, name, task: schema } = environment;
  const full = hooks.publicTask ? await restoreTask(environment, task) : task;
  const valid = schema ? await schema.validate(full) : { ok: true as const, value: full };
  if (valid.ok) return valid.value;
  throw new OrsError('bad_request', `task_spec is not a task of '${name}': ${describeIssues(valid.issues)}`);
}

async function restoreTask(environment: Environment, visible: JSONObject): Promise<unknown> {
  const { hooks, name, splitTasks } = environment;
  if (hooks.resolveTask) {
    try {
      return await hooks.resolveTask(visible);
    } catch (cause) {
      // The argument comes from the client, so a failure is the client's.
      throw new OrsError('bad_request', `task_spec is not a task of '${name}'; send one as it was listed`, { cause });
    }
  }
  const key = canonicalJson(visible);
  const tasks: JSONObject[] = [];
  for (const source of splitTasks.values()) {
    const index = await source.index?.((task) => publicTask(environment, task));
    appendAll(tasks, index?.get(key) ?? []);
  }
  if (new Set(tasks.map(canonicalJson)).size > 1) {
    throw new OrsError(
      'bad_request',
      `task_spec matches ${tasks.length} tasks of '${name}'; send split and index instead`,
    );
  }
  if (tasks[0]) return tasks[0];
  throw new OrsError(
    'bad_request',
    `task_spec is not a task of '${name}'; send one as it was listed, or split and index`,
  );
}

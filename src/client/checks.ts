import { isRecord, jsonProblem, LONGEST_TIMER_MS } from '../core/index.ts';
import type { TaskSelector } from './open-session.ts';

const ADVICE = 'give { split: "train", index: 0 } or { task: {...} }';

/**
 * Checks the choice of a task before anything is sent. A handle of a task counts as its place.
 *
 * @throws TypeError for what no server could understand, and for numbers that JavaScript has rounded already.
 */
export function parseTaskSelector(choice: unknown, environment: string): TaskSelector {
  if (!isRecord(choice)) throw new TypeError(`the task of an episode is missing; ${ADVICE}`);
  const { task, split, index } = choice;
  if (typeof choice.environment === 'string' && choice.environment.toLowerCase() !== environment.toLowerCase()) {
    throw new TypeError(`the task is of '${choice.environment}' and not of '${environment}'`);
  }
  if (task === undefined && split === undefined && index === undefined) {
    throw new TypeError(`the choice names no task; ${ADVICE}`);
  }
  if (split === undefined && index === undefined) return { task: checkedTask(task) } as TaskSelector;
  if (typeof split !== 'string') throw new TypeError(`split is ${JSON.stringify(split)}; ${ADVICE}`);
  if (!Number.isSafeInteger(index) || (index as number) < 0) {
    throw new TypeError(`index is ${JSON.stringify(index)} where an integer from 0 is needed; ${ADVICE}`);
  }
  return { split, index: index as number };
}

function checkedTask(task: unknown): unknown {
  if (!isRecord(task)) throw new TypeError(`the task is no object; ${ADVICE}`);
  const problem = jsonProblem(task, 'task', { safeIntegers: true });
  if (problem) throw new TypeError(`${problem}; ${ADVICE}`);
  return task;
}

/** @throws TypeError for an input that is no object, or that JSON would change. */
export function assertToolInput(name: unknown, input: unknown): void {
  if (typeof name !== 'string') throw new TypeError(`the name of the tool is ${JSON.stringify(name)}; give a string`);
  if (!isRecord(input)) throw new TypeError(`the input of '${name}' is no object; give one, such as {}`);
  const problem = jsonProblem(input, 'input');
  if (problem) throw new TypeError(`${problem}, which JSON cannot say`);
}

/** @throws TypeError that names the secret, and not its value. */
export function assertSecrets(secrets: unknown): void {
  if (!isRecord(secrets)) throw new TypeError("secrets is no object; give one, such as { NAME: 'value' }");
  for (const [name, value] of Object.entries(secrets)) {
    if (typeof value !== 'string') throw new TypeError(`the secret '${name}' is no string`);
  }
}

/** @throws TypeError for a name that cannot stand in a path. */
export function assertEnvironmentName(name: unknown): asserts name is string {
  if (typeof name === 'string' && !['', '.', '..'].includes(name) && name.isWellFormed()) return;
  throw new TypeError(`${JSON.stringify(name)} is no name of an environment`);
}

/** @throws RangeError for a number below `least`, or that is none. */
export function assertNumberInRange(option: string, value: number, min: number, max = LONGEST_TIMER_MS): void {
  if (typeof value === 'number' && value >= min && value <= max) return;
  const range = max === Number.POSITIVE_INFINITY ? `from ${min}` : `from ${min} to ${max}`;
  throw new RangeError(`${option} is ${value}; give a number of milliseconds ${range}`);
}

import type { TaskSelector } from '../client/index.ts';
import { type Environment, getTaskAt, resolveTask } from '../environment/index.ts';

/** The task of a choice, with what is hidden from players. */
export const resolveFullTask = async (environment: Environment, choice: TaskSelector): Promise<unknown> =>
  'task' in choice ? resolveTask(environment, choice.task) : getTaskAt(environment, choice.split, choice.index);

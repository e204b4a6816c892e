import type { TaskChoice } from '../client/index.ts';
import { type Environment, resolveTask, taskAt } from '../environment/index.ts';

/** The task of a choice, with what is hidden from players. */
export const resolveFullTask = async (environment: Environment, choice: TaskChoice): Promise<unknown> =>
  'task' in choice ? resolveTask(environment, choice.task) : taskAt(environment, choice.split, choice.index);

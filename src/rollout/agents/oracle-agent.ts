import { OrsClientError } from '../../client/index.ts';
import { abortable, canonicalJson, errorMessage } from '../../core/index.ts';
import { type Environment, getTaskAt, publicTask, resolveTask } from '../../environment/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import { type Agent, AgentError, type TaskInstance } from '../agent.ts';

/**
 * An agent that plays by the environment's own `solve`, which knows the whole task. It makes its calls through the
 * session as every agent does.
 *
 * It throws an AgentError where the environments that it was given have none of that name, `solve` is missing or fails,
 * or the server's task is none of theirs.
 */
export function oracleAgent(environments: readonly Environment[]): Agent {
  return async (session, { task, limits, signal }) => {
    const environment = findEnvironment(environments, task.environment);
    const solve = findSolve(environment);
    const whole = await wholeTask(environment, task);
    const prompt = await session.prompt({ signal });
    const tools = await session.tools({ signal });
    const limit = new AgentError(`solve makes more than ${limits.turns} calls`, { retryable: false });
    let turns = 0;
    let isOver = false;
    const call = async (name: string, input: JSONObject = {}) => {
      if (turns >= limits.turns) {
        isOver = true;
        throw limit;
      }
      turns += 1;
      return session.call(name, input, { signal });
    };
    try {
      // Its type held while the environment was written.
      await abortable(signal, () => solve({ task: whole as never, prompt, tools, call }));
    } catch (error) {
      if (!isOver) throw signal.aborted ? error : explained(error, environment);
    }
    return { stop: session.finished ? 'finished' : isOver ? 'turn_limit' : 'stopped', turns };
  };
}

function findEnvironment(environments: readonly Environment[], name: string): Environment {
  const found = environments.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = environments.map((one) => one.name).join(', ') || 'none';
  throw failed(`the oracle has no environment '${name}' to solve; it was given: ${names}`);
}

function findSolve({ hooks, name }: Environment) {
  if (hooks.solve) return hooks.solve;
  throw failed(`environment '${name}' has no solve, by which an oracle plays; add one to its definition`);
}

/** The task with what is hidden from players: by its place, or by what is shown of it where another stands there. */
async function wholeTask(environment: Environment, { split, index, task }: TaskInstance): Promise<unknown> {
  const shown = canonicalJson(task);
  const there = await Promise.resolve()
    .then(() => getTaskAt(environment, split, index))
    .catch(() => undefined);
  if (there && canonicalJson(publicTask(environment, there)) === shown) return there;
  try {
    return await resolveTask(environment, task);
  } catch (cause) {
    const { name } = environment;
    const message =
      `task ${index} of split '${split}' is not the same in environment '${name}' here as on the server: ` +
      `${errorMessage(cause)}; give the module that the server runs`;
    throw new AgentError(message, { retryable: false, cause });
  }
}

/** What came out of `solve`: what the session threw is known, all else is the author's. */
function explained(error: unknown, { name }: Environment): unknown {
  if (error instanceof OrsClientError) return error;
  const message = `the solve of environment '${name}' failed: ${errorMessage(error)}`;
  return new AgentError(message, { retryable: false, cause: error });
}

const failed = (message: string): AgentError => new AgentError(message, { retryable: false });

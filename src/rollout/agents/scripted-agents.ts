import { OrsClientError, type TaskHandle, ToolCallError } from '../../client/index.ts';
import { abortable, canonicalJson, errorMessage } from '../../core/index.ts';
import { type Environment, getTaskAt, publicTask, resolveTask } from '../../environment/index.ts';
import { type JSONObject, joinText } from '../../protocol/index.ts';
import { type Agent, AgentError } from '../agent.ts';
import { randomCallsFactory } from './random-inputs.ts';

/**
 * Creates an agent that reads the prompt and calls nothing. It measures the reward that is free.
 *
 * @example
 * const { results } = await rollout({ client, folder, agent: idleAgent() });
 */
export const idleAgent = (): Agent => async (session, context) => {
  await session.prompt({ signal: context.signal });
  return { stop: 'stopped', turns: 0 };
};

/**
 * Creates an agent that calls random tools with random valid inputs until the episode is finished or the turn limit is
 * reached. After a refusal, most of its inputs also match what the prompt and the refusals of the episode say: allowed
 * words, ranges, lengths and formats. Its calls depend only on the seed of the episode, the tools, and these texts. It
 * omits tools for whose schema no input can be generated.
 *
 * The agent throws an AgentError if no tool remains, for example without the package json-schema-faker.
 *
 * @example
 * const { results } = await rollout({ client, folder, agent: randomAgent() });
 */
export function randomAgent(): Agent {
  const prepare = randomCallsFactory();

  return async (session, { seed, limits, signal }) => {
    const prompt = await session.prompt({ signal });
    const specs = await session.tools({ signal });
    const calls = await prepare(joinText(prompt), specs, splitmix32(seed)).catch((error: unknown) => {
      throw new AgentError(errorMessage(error), { cause: error });
    });
    let turns = 0;
    for (; !session.finished && turns < limits.turns; turns++) {
      signal.throwIfAborted();
      const call = calls.next();
      try {
        const { text } = await session.call(call.name, call.input, { signal });
        await calls.learn(call, text, false);
      } catch (error) {
        if (!(error instanceof ToolCallError)) throw error;
        await calls.learn(call, error.detail, true);
      }
    }
    return { stop: session.finished ? 'finished' : 'turn_limit', turns };
  };
}

/** Creates a generator of numbers of at least 0 and less than 1. Recorded runs depend on its sequence. */
function splitmix32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/**
 * Creates an agent that plays by `solve` of the environment, which receives the full task. Like every agent, it calls
 * tools through the session.
 *
 * The agent throws an AgentError if the environment is not among those given, has no `solve`, or has another task than the
 * server, and if `solve` fails.
 *
 * @param environments the definitions that the server runs.
 * @example
 * import environment from './environment.ts';
 *
 * const agent = oracleAgent([environment]);
 */
export function oracleAgent(environments: readonly Environment[]): Agent {
  return async (session, { task, limits, signal }) => {
    const environment = findEnvironment(environments, task.environment);
    const { solve } = environment.hooks;
    if (!solve) {
      throw new AgentError(
        `environment '${environment.name}' has no solve, which an oracle needs; add it to the definition`,
      );
    }
    const fullTask = await resolveFullTask(environment, task);
    const prompt = await session.prompt({ signal });
    const tools = await session.tools({ signal });
    const limitError = new AgentError(`solve makes more than ${limits.turns} calls`);
    let turns = 0;
    let isLimitReached = false;
    const call = async (name: string, input: JSONObject = {}) => {
      if (turns >= limits.turns) {
        isLimitReached = true;
        throw limitError;
      }
      turns += 1;
      return session.call(name, input, { signal });
    };
    try {
      // `defineEnvironment` checked that the types of `solve` and of the tasks match.
      await abortable(signal, () => solve({ task: fullTask as never, prompt, tools, call }));
    } catch (error) {
      if (!isLimitReached) throw signal.aborted ? error : toSolveError(error, environment);
    }
    return { stop: session.finished ? 'finished' : isLimitReached ? 'turn_limit' : 'stopped', turns };
  };
}

function findEnvironment(environments: readonly Environment[], name: string): Environment {
  const found = environments.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = environments.map((one) => one.name).join(', ') || 'none';
  throw new AgentError(`the oracle has no environment '${name}'; it has: ${names}`);
}

/** Returns the full task: the one at the same index, or the one that its public form identifies. */
async function resolveFullTask(environment: Environment, { split, index, task }: TaskHandle): Promise<unknown> {
  const publicForm = canonicalJson(task);
  const atIndex = await Promise.resolve()
    .then(() => getTaskAt(environment, split, index))
    .catch(() => undefined);
  if (atIndex && canonicalJson(publicTask(environment, atIndex)) === publicForm) return atIndex;
  try {
    return await resolveTask(environment, task);
  } catch (cause) {
    const difference = `task ${index} of split '${split}' differs between environment '${environment.name}' and the server`;
    throw new AgentError(`${difference}: ${errorMessage(cause)}; pass the module that the server runs`, { cause });
  }
}

/** Keeps errors of the client, and attributes every other one to the author's code. */
function toSolveError(cause: unknown, { name }: Environment): unknown {
  if (cause instanceof OrsClientError) return cause;
  return new AgentError(`solve of environment '${name}' failed: ${errorMessage(cause)}`, { cause });
}

import { OrsClientError, type TaskHandle, ToolCallError } from '../../client/index.ts';
import { createInputGenerator } from '../../conformance/index.ts';
import { abortable, canonicalJson, errorMessage } from '../../core/index.ts';
import { type Environment, getTaskAt, publicTask, resolveTask } from '../../environment/index.ts';
import type { JSONObject, ToolSpec } from '../../protocol/index.ts';
import { type Agent, AgentError } from '../agent.ts';

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

/** Random inputs per tool, in addition to minimal, full and boundary inputs. */
const RANDOM_INPUTS = 64;
/** Time to generate the inputs of one schema. */
const INPUTS_TIMEOUT_MS = 30_000;

/**
 * Creates an agent that calls random tools with random valid inputs until the episode is finished or the turn limit is
 * reached. Its calls depend only on the seed of the episode and on the tools. It omits tools for whose schema no input can
 * be generated.
 *
 * The agent throws an AgentError if no tool remains, for example without the package json-schema-faker.
 *
 * @example
 * const { results } = await rollout({ client, folder, agent: randomAgent() });
 */
export function randomAgent(): Agent {
  // Shared by all episodes: schemas are processed once, in a thread that does not keep the process alive.
  const inputs = createInputGenerator({ timeoutMs: INPUTS_TIMEOUT_MS });

  const prepare = async ({ name, input_schema }: ToolSpec) => {
    const { valid } = await inputs.generate(input_schema, { random: RANDOM_INPUTS });
    // Valid inputs of a tool are JSON objects.
    return { name, inputs: valid.map(({ value }) => value as JSONObject) };
  };

  return async (session, { seed, limits, signal }) => {
    await session.prompt({ signal });
    const specs = await session.tools({ signal });
    const prepared = await Promise.allSettled(specs.map(prepare));
    const tools = prepared.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    if (tools.length === 0) {
      const problems = prepared.flatMap((each, at) =>
        each.status === 'rejected' ? [`${specs[at]?.name}: ${errorMessage(each.reason)}`] : [],
      );
      throw new AgentError(`no tool can be called at random; ${problems.join('; ') || 'the episode has none'}`);
    }
    const random = splitmix32(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    let turns = 0;
    for (; !session.finished && turns < limits.turns; turns++) {
      signal.throwIfAborted();
      const { name, inputs } = pick(tools);
      await session.call(name, pick(inputs), { signal }).catch((error: unknown) => {
        if (!(error instanceof ToolCallError)) throw error;
      });
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

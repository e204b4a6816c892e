import { type CallResult, OrsClientError, type TaskHandle, ToolCallError } from '../../client/index.ts';
import { createInputGenerator } from '../../conformance/index.ts';
import { abortable, canonicalJson, errorMessage } from '../../core/index.ts';
import { type Environment, getTaskAt, publicTask, resolveTask } from '../../environment/index.ts';
import { type JSONObject, type TerminalTool, type ToolSpec, terminalToolSpec } from '../../protocol/index.ts';
import { type Agent, AgentError, type AgentSession } from '../agent.ts';

/**
 * Creates an agent that reads the prompt and calls nothing. It measures the reward that is free.
 *
 * @example
 * const { results } = await rollout({ client, folder, agent: idleAgent() });
 */
export const idleAgent = (): Agent => async (session, context) => {
  await session.messages({ signal: context.signal });
  return { stop: 'stopped', turns: 0 };
};

/** Random inputs per tool, in addition to minimal, full and boundary inputs. */
const RANDOM_INPUTS = 64;
/** Time to generate the inputs of one schema. */
const INPUTS_TIMEOUT_MS = 30_000;

/**
 * Creates an agent that calls random tools with random valid inputs until the episode is finished or the turn limit is
 * reached. If the environment grades final messages, an answer with a random text is one of its calls, and ends the
 * episode unless it is refused. Its calls depend only on the seed of the episode and on the tools. It omits tools for whose schema no input can
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
    await session.messages({ signal });
    const terminal = await session.terminalTool({ signal });
    const specs = [...(await session.tools({ signal })), ...(terminal ? [terminalToolSpec(terminal)] : [])];
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
      try {
        await makeCall(session, terminal, { name, input: pick(inputs) }, signal);
        if (name === terminal?.name && !session.finished) return { stop: 'stopped', turns: turns + 1 };
      } catch (error) {
        if (!(error instanceof ToolCallError)) throw error;
      }
    }
    return { stop: session.finished ? 'finished' : 'turn_limit', turns };
  };
}

/** Makes a call, which is an answer if it is one of the terminal tool. */
function makeCall(
  session: AgentSession,
  terminal: TerminalTool | null,
  { name, input }: { readonly name: string; readonly input: JSONObject },
  signal: AbortSignal,
): Promise<CallResult> {
  if (name !== terminal?.name) return session.call(name, input, { signal });
  return session.answer(String(input[terminal.arg ?? ''] ?? ''), { signal });
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
    // Recorded as a conversation.
    await session.messages({ signal });
    const prompt = await session.prompt({ signal });
    const tools = await session.tools({ signal });
    const limitError = new AgentError(`solve makes more than ${limits.turns} calls`);
    let turns = 0;
    let isLimitReached = false;
    const countTurn = () => {
      if (turns >= limits.turns) {
        isLimitReached = true;
        throw limitError;
      }
      turns += 1;
    };
    const call = async (name: string, input: JSONObject = {}) => {
      countTurn();
      return session.call(name, input, { signal });
    };
    const answer = async (text = '') => {
      countTurn();
      return session.answer(text, { signal });
    };
    try {
      // `defineEnvironment` checked that the types of `solve` and of the tasks match.
      await abortable(signal, () => solve({ task: fullTask as never, prompt, tools, call, answer }));
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

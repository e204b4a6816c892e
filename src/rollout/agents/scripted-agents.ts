import { type CallResult, OrsClientError, type TaskHandle, ToolCallError } from '../../client/index.ts';
import { createInputGenerator, createInputLearner, looksRefused } from '../../conformance/index.ts';
import { abortable, canonicalJson, errorMessage } from '../../core/index.ts';
import { type Environment, getTaskAt, publicTask, resolveTask } from '../../environment/index.ts';
import {
  type JSONObject,
  type Message,
  type TerminalTool,
  type ToolSpec,
  terminalToolSpec,
} from '../../protocol/index.ts';
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

/**
 * Creates an agent that calls random tools with random valid inputs until the episode is finished or the turn limit is
 * reached. If the environment grades final messages, an answer with a random text is one of its calls, and ends the
 * episode unless it is refused. After a refusal, most of its inputs also match what the prompt and the refusals of the
 * episode say: allowed words, ranges, lengths and formats. Its calls depend only on the seed of the episode, the tools,
 * and these texts. It omits tools for whose schema no input can be generated.
 *
 * The agent throws an AgentError if no tool remains, for example without the package json-schema-faker.
 *
 * @example
 * const { results } = await rollout({ client, folder, agent: randomAgent() });
 */
export function randomAgent(): Agent {
  const prepare = randomCallsFactory();

  return async (session, { seed, limits, signal }) => {
    const messages = await session.messages({ signal });
    const terminal = await session.terminalTool({ signal });
    const specs = [...(await session.tools({ signal })), ...(terminal ? [terminalToolSpec(terminal)] : [])];
    const calls = await prepare(textOf(messages), specs, splitmix32(seed)).catch((error: unknown) => {
      throw new AgentError(errorMessage(error), { cause: error });
    });
    let turns = 0;
    for (; !session.finished && turns < limits.turns; turns++) {
      signal.throwIfAborted();
      const call = calls.next();
      try {
        const { text } = await makeCall(session, terminal, call, signal);
        if (call.name === terminal?.name && !session.finished) return { stop: 'stopped', turns: turns + 1 };
        await calls.learn(call, text, false);
      } catch (error) {
        if (!(error instanceof ToolCallError)) throw error;
        await calls.learn(call, error.detail, true);
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

/** Returns the texts of a conversation. */
const textOf = (messages: readonly Message[]): string =>
  messages
    .flatMap(({ blocks }): readonly object[] => blocks)
    .map((block) => ('text' in block ? String(block.text) : ''))
    .join('\n');

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

/** Random inputs per tool, in addition to minimal, full and boundary inputs. */
const RANDOM_INPUTS = 64;
/** Time to generate the inputs of one schema. */
const INPUTS_TIMEOUT_MS = 30_000;
/** Share of the calls that use what the episode has said about the input. */
const LEARNED_SHARE = 0.75;

/** A tool with the inputs that may be called. */
interface CallableTool {
  readonly spec: ToolSpec;
  readonly inputs: readonly JSONObject[];
  /** Inputs that also match what prompt and refusals say. */
  learned: readonly JSONObject[];
}

/** Chooses the calls of one episode. */
interface RandomCalls {
  /** Returns a tool and an input. */
  readonly next: () => { readonly name: string; readonly input: JSONObject };
  /** Learns from a refusal, or from an output that reads like one. */
  readonly learn: (call: ReturnType<RandomCalls['next']>, text: string, isRefused: boolean) => Promise<void>;
}

/**
 * Returns a function that prepares the calls of an episode from its prompt and tools. It rejects with an Error, whose
 * message names the problems, if no tool can be called.
 */
function randomCallsFactory() {
  // Shared by all episodes: schemas are processed once, in a thread that does not keep the process alive.
  const generator = createInputGenerator({ timeoutMs: INPUTS_TIMEOUT_MS });

  return async (prompt: string, specs: readonly ToolSpec[], random: () => number): Promise<RandomCalls> => {
    const learner = createInputLearner(generator, { random: RANDOM_INPUTS });
    learner.hear(prompt);
    const inputsOf = async ({ name, description, input_schema: inputSchema }: ToolSpec) => {
      const { valid } = await learner.inputs({ name, description, inputSchema });
      // Valid inputs of a tool are JSON objects.
      return valid.map(({ value }) => value as JSONObject);
    };
    const prepared = await Promise.allSettled(specs.map(inputsOf));
    const tools = prepared.flatMap((each, at): CallableTool[] => {
      const spec = specs[at];
      return each.status === 'fulfilled' && spec ? [{ spec, inputs: each.value, learned: [] }] : [];
    });
    if (tools.length === 0) {
      const problems = prepared.flatMap((each, at) =>
        each.status === 'rejected' ? [`${specs[at]?.name}: ${errorMessage(each.reason)}`] : [],
      );
      throw new Error(`no tool can be called at random; ${problems.join('; ') || 'the episode has none'}`);
    }
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    return {
      next() {
        const { spec, inputs, learned } = pick(tools);
        const isLearned = learned.length > 0 && random() < LEARNED_SHARE;
        return { name: spec.name, input: pick(isLearned ? learned : inputs) };
      },
      async learn({ name, input }, text, isRefused) {
        const tool = tools.find(({ spec }) => spec.name === name);
        if (!tool || (!isRefused && !looksRefused(text)) || !learner.refuse(name, input, text)) return;
        const better = await inputsOf(tool.spec);
        // Without anything learned, these are the inputs of the schema.
        tool.learned = JSON.stringify(better) === JSON.stringify(tool.inputs) ? [] : better;
      },
    };
  };
}

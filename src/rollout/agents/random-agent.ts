import { ToolCallError } from '../../client/index.ts';
import { createInputGenerator } from '../../conformance/index.ts';
import { errorMessage } from '../../core/index.ts';
import type { JSONObject, ToolSpec } from '../../protocol/index.ts';
import { type Agent, AgentError, type AgentSession } from '../agent.ts';

/** So many random inputs of each tool are made, beside the smallest, the fullest and those at the bounds. */
const RANDOM_INPUTS = 64;
/** For the inputs of one schema. */
const TIMEOUT_MS = 30_000;

interface CallableTool {
  readonly name: string;
  readonly inputs: readonly JSONObject[];
}

/**
 * An agent that calls a random tool with a random valid input until the episode is over or it has had all its turns.
 * What it does depends on the seed of the episode and the tools alone. A tool whose schema nothing can be made of is
 * left out.
 *
 * It throws an AgentError where no tool is left, such as without the package json-schema-faker.
 */
export function randomAgent(): Agent {
  // One for all episodes: work on schemas is done once, in a thread that keeps no process alive.
  const inputs = createInputGenerator({ timeoutMs: TIMEOUT_MS });

  async function playable({ name, input_schema }: ToolSpec): Promise<CallableTool | { readonly problem: string }> {
    try {
      const { valid } = await inputs.generate(input_schema, { random: RANDOM_INPUTS });
      // They were made as JSON.
      return { name, inputs: valid.map(({ value }) => value as JSONObject) };
    } catch (error) {
      return { problem: `${name}: ${errorMessage(error)}` };
    }
  }

  return async (session, { seed, limits, signal }) => {
    await session.prompt({ signal });
    const found = await Promise.all((await session.tools({ signal })).map(playable));
    const tools = found.filter((tool) => 'inputs' in tool);
    if (tools.length === 0) {
      const problems = found.flatMap((tool) => ('problem' in tool ? [tool.problem] : []));
      throw new AgentError(`there is no tool to call at random; ${problems.join('; ') || 'the episode has none'}`, {
        retryable: false,
      });
    }
    const random = numbersFrom(seed);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
    let turns = 0;
    for (; !session.finished && turns < limits.turns; turns++) {
      signal.throwIfAborted();
      const { name, inputs } = pick(tools);
      await attempt(session, name, pick(inputs), signal);
    }
    return { stop: session.finished ? 'finished' : 'turn_limit', turns };
  };
}

/** Makes a call; what the tool refuses is no failure. */
async function attempt(session: AgentSession, name: string, input: JSONObject, signal: AbortSignal): Promise<void> {
  try {
    await session.call(name, input, { signal });
  } catch (error) {
    if (!(error instanceof ToolCallError)) throw error;
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // A counter whose bits are mixed (splitmix32).
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

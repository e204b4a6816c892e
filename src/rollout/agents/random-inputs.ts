import { createInputGenerator, createInputLearner, looksRefused } from '../../conformance/index.ts';
import { errorMessage } from '../../core/index.ts';
import type { JSONObject, ToolSpec } from '../../protocol/index.ts';

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
export interface RandomCalls {
  /** Returns a tool and an input. */
  readonly next: () => { readonly name: string; readonly input: JSONObject };
  /** Learns from a refusal, or from an output that reads like one. */
  readonly learn: (call: ReturnType<RandomCalls['next']>, text: string, isRefused: boolean) => Promise<void>;
}

/**
 * Returns a function that prepares the calls of an episode from its prompt and tools. It rejects with an Error, whose
 * message names the problems, if no tool can be called.
 */
export function randomCallsFactory() {
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

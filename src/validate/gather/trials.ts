import type { JSONObject, ToolSpec } from '../../protocol/index.ts';
import type { Inputs } from './options.ts';

export interface Trial {
  readonly value: JSONObject;
  /** How it was made: `the minimal input`. */
  readonly what: string;
}

/** What a tool is tried with; nothing where nothing can be made of its schema. */
export interface Trials {
  readonly least: Trial | undefined;
  /** With all parameters; undefined where that is the least too. */
  readonly full: Trial | undefined;
  readonly valid: readonly Trial[];
  readonly invalid: readonly Trial[];
}

/** The inputs of all tools that were seen. */
export interface ToolTrials {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly untried: readonly { readonly tool: string; readonly reason: string }[];
  /** Makes inputs for tools that are new. */
  learn(tools: readonly ToolSpec[]): Promise<void>;
  of(tool: string): Trials;
}

const RANDOM_INPUTS = 8;
const NONE: Trials = { least: undefined, full: undefined, valid: [], invalid: [] };

export function createTrials(inputs: Inputs): ToolTrials {
  const tools = new Map<string, ToolSpec>();
  const trials = new Map<string, Trials>();
  const untried: { tool: string; reason: string }[] = [];
  return {
    tools,
    untried,
    async learn(seen) {
      for (const tool of seen) {
        if (tools.has(tool.name)) continue;
        tools.set(tool.name, tool);
        try {
          trials.set(tool.name, await trialsOf(inputs, tool));
        } catch (error) {
          if (!(error instanceof Error && error.name === 'Untestable')) throw error;
          untried.push({ tool: tool.name, reason: error.message });
        }
      }
    },
    of: (tool) => trials.get(tool) ?? NONE,
  };
}

async function trialsOf(inputs: Inputs, { input_schema: schema }: ToolSpec): Promise<Trials> {
  const { valid, invalid } = await inputs.of(schema, { random: RANDOM_INPUTS });
  // Inputs are objects of JSON, made of a schema that came as JSON.
  const all = valid as readonly Trial[];
  const full = all.find(({ what }) => what === 'the full input');
  return { least: all[0], full: full === all[0] ? undefined : full, valid: all, invalid: invalid as readonly Trial[] };
}

import type { JSONObject, ToolSpec } from '../../protocol/index.ts';
import type { TrialInputGenerator } from './options.ts';

export interface TrialInput {
  readonly value: JSONObject;
  /** How it was made: `the minimal input`. */
  readonly what: string;
}

/** What a tool is tried with; nothing where nothing can be made of its schema. */
export interface ToolTrialInputs {
  readonly minimal: TrialInput | undefined;
  /** With all parameters; undefined where that is the least too. */
  readonly full: TrialInput | undefined;
  readonly valid: readonly TrialInput[];
  readonly invalid: readonly TrialInput[];
}

/** The inputs of all tools that were seen. */
export interface TrialInputRegistry {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly untried: readonly { readonly tool: string; readonly reason: string }[];
  /** Makes inputs for tools that are new. */
  addTools(tools: readonly ToolSpec[]): Promise<void>;
  inputsFor(tool: string): ToolTrialInputs;
}

const RANDOM_INPUTS = 8;
const NONE: ToolTrialInputs = { minimal: undefined, full: undefined, valid: [], invalid: [] };

export function createTrials(inputs: TrialInputGenerator): TrialInputRegistry {
  const tools = new Map<string, ToolSpec>();
  const trials = new Map<string, ToolTrialInputs>();
  const untried: { tool: string; reason: string }[] = [];
  return {
    tools,
    untried,
    async addTools(seen) {
      for (const tool of seen) {
        if (tools.has(tool.name)) continue;
        tools.set(tool.name, tool);
        try {
          trials.set(tool.name, await trialsOf(inputs, tool));
        } catch (error) {
          if (!(error instanceof Error && error.name === 'UntestableError')) throw error;
          untried.push({ tool: tool.name, reason: error.message });
        }
      }
    },
    inputsFor: (tool) => trials.get(tool) ?? NONE,
  };
}

async function trialsOf(inputs: TrialInputGenerator, { input_schema: schema }: ToolSpec): Promise<ToolTrialInputs> {
  const { valid, invalid } = await inputs.generate(schema, { random: RANDOM_INPUTS });
  // Inputs are objects of JSON, made of a schema that came as JSON.
  const all = valid as readonly TrialInput[];
  const full = all.find(({ what }) => what === 'the full input');
  return {
    minimal: all[0],
    full: full === all[0] ? undefined : full,
    valid: all,
    invalid: invalid as readonly TrialInput[],
  };
}

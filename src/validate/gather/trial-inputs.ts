import type { JSONObject, ToolSpec } from '../../protocol/index.ts';
import type { TrialInputGenerator } from '../options.ts';

interface TrialInput {
  readonly value: JSONObject;
  /** Description of the input, such as `the minimal input`. */
  readonly what: string;
}

/** Inputs with which a tool is called; none if they cannot be generated from its schema. */
interface ToolTrialInputs {
  readonly minimal: TrialInput | undefined;
  /** Input with all parameters; undefined if it equals the minimal one. */
  readonly full: TrialInput | undefined;
  readonly valid: readonly TrialInput[];
  readonly invalid: readonly TrialInput[];
}

/** Inputs of all known tools. */
export type TrialInputRegistry = ReturnType<typeof createTrialInputs>;

const RANDOM_INPUTS = 8;
const NO_INPUTS: ToolTrialInputs = { minimal: undefined, full: undefined, valid: [], invalid: [] };

export function createTrialInputs(generator: TrialInputGenerator) {
  const tools = new Map<string, ToolSpec>();
  const inputs = new Map<string, ToolTrialInputs>();
  const untried: { tool: string; reason: string }[] = [];
  return {
    tools,
    untried,
    /** Generates inputs of tools that are not known yet. */
    async addTools(added: readonly ToolSpec[]): Promise<void> {
      for (const tool of added) {
        if (tools.has(tool.name)) continue;
        tools.set(tool.name, tool);
        try {
          inputs.set(tool.name, await generateInputs(generator, tool));
        } catch (error) {
          if (!(error instanceof Error && error.name.startsWith('Untestable'))) throw error;
          untried.push({ tool: tool.name, reason: error.message });
        }
      }
    },
    inputsFor: (tool: string): ToolTrialInputs => inputs.get(tool) ?? NO_INPUTS,
  };
}

async function generateInputs(
  generator: TrialInputGenerator,
  { input_schema: schema }: ToolSpec,
): Promise<ToolTrialInputs> {
  const generated = await generator.generate(schema, { random: RANDOM_INPUTS });
  // Inputs of tools are JSON objects.
  const valid = generated.valid as readonly TrialInput[];
  const invalid = generated.invalid as readonly TrialInput[];
  const full = valid.find(({ what }) => what === 'the full input');
  return { minimal: valid[0], full: full === valid[0] ? undefined : full, valid, invalid };
}

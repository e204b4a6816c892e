import { createInputLearner, type InputLearner, looksRefused } from '../../conformance/index.ts';
import { truncate } from '../../core/index.ts';
import {
  type JSONObject,
  type JSONValue,
  type TerminalTool,
  type ToolSpec,
  terminalToolInput,
  terminalToolSpec,
} from '../../protocol/index.ts';
import type { CallEvidence } from '../evidence.ts';
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
  const learner = createInputLearner(generator, { random: RANDOM_INPUTS });
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
          inputs.set(tool.name, await generateInputs(learner, tool));
        } catch (error) {
          if (!(error instanceof Error && error.name.startsWith('Untestable'))) throw error;
          untried.push({ tool: tool.name, reason: error.message });
        }
      }
    },
    /** Notes the prompt of an episode, which may say what inputs must be. */
    hear: learner.hear,
    /** Learns from a refused call. Later inputs of the tool also match what the refusal and the prompt say. */
    async learn({ tool: name, input, outcome, text }: CallEvidence): Promise<void> {
      const tool = tools.get(name);
      const isRefused = outcome === 'refused' || outcome === 'crashed' || (outcome === 'output' && looksRefused(text));
      if (!tool || !isRefused || !learner.refuse(name, input, text)) return;
      inputs.set(name, await generateInputs(learner, tool));
    },
    /**
     * Generates messages for the terminal tool. It is not added to `tools`: agents do not see its specification.
     *
     * @param schema its input schema, if the code of the environment is available.
     */
    async addTerminalTool(terminal: TerminalTool, schema: JSONObject | null | undefined): Promise<void> {
      if (inputs.has(terminal.name)) return;
      const spec = terminalToolSpec(terminal);
      const generated = await generateInputs(learner, { ...spec, input_schema: schema ?? spec.input_schema }).catch(
        () => NO_INPUTS,
      );
      inputs.set(terminal.name, toAnswers(terminal, generated));
    },
    inputsFor: (tool: string): ToolTrialInputs => inputs.get(tool) ?? NO_INPUTS,
  };
}

/** Converts inputs of a terminal tool to the texts that agents can submit. Agents can submit any text. */
function toAnswers(terminal: TerminalTool, { valid }: ToolTrialInputs): ToolTrialInputs {
  const minimal = { value: terminalToolInput(terminal, ''), what: 'the empty message' };
  const { arg } = terminal;
  if (typeof arg !== 'string') return { ...NO_INPUTS, minimal, valid: [minimal] };
  const texts = valid.map(({ value }) => toText(value[arg])).filter((text) => text !== '');
  const answers = [...new Set(texts)].map((text) => {
    return { value: terminalToolInput(terminal, text), what: `the message '${truncate(text, 40)}'` };
  });
  return { ...NO_INPUTS, minimal, valid: answers.length === 0 ? [minimal] : answers };
}

const toText = (value: JSONValue | undefined): string =>
  typeof value === 'string' ? value.trim() : JSON.stringify(value ?? '');

async function generateInputs(
  learner: InputLearner,
  { name, description, input_schema: inputSchema }: ToolSpec,
): Promise<ToolTrialInputs> {
  const generated = await learner.inputs({ name, description, inputSchema });
  // Inputs of tools are JSON objects.
  const valid = generated.valid as readonly TrialInput[];
  const invalid = generated.invalid as readonly TrialInput[];
  const full = valid.find(({ what }) => what.startsWith('the full input'));
  return { minimal: valid[0], full: full === valid[0] ? undefined : full, valid, invalid };
}

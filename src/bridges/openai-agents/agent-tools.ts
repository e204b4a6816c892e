import { fieldsOf, isRecord, loadOptionalPackage } from '../../core/index.ts';
import { joinText } from '../../protocol/index.ts';
import {
  type BridgeCallResult,
  type BridgePlayOptions,
  type BridgeSession,
  isEpisodeOver,
  playSession,
  submitFinalText,
  type VisibleResult,
} from '../session/index.ts';

/**
 * Function tool of the package `@openai/agents-core`.
 *
 * @example
 * const tools: AgentTool[] = await agentTools(session);
 * const names = tools.map(({ name }) => name);
 */
export interface AgentTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: AgentParameters;
  readonly strict: false;
  /** Calls the tool with its input as JSON text, as the model wrote it. */
  readonly invoke: (context: unknown, input: string) => Promise<string | AgentContent[]>;
  /** Resolves to false: no call waits for a person. */
  readonly needsApproval: () => Promise<boolean>;
  /** Resolves to true. */
  readonly isEnabled: () => Promise<boolean>;
}

/**
 * JSON Schema of the parameters of a tool.
 *
 * @example
 * const [tool] = await agentTools(session);
 * const parameters: AgentParameters | undefined = tool?.parameters;
 */
export interface AgentParameters {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  /** Required by the type of the package; the schema may have another value. */
  additionalProperties: true;
  [keyword: string]: unknown;
}

/**
 * Content part of a tool output.
 *
 * @example
 * const content: AgentContent = { type: 'image', image: { data: 'iVBORw0KGgo=', mediaType: 'image/png' } };
 */
export type AgentContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: { readonly data: string; readonly mediaType: string } };

/**
 * Returns the tools of an episode as function tools for `new Agent({ tools })`. The model sees only blocks; rewards go
 * to `onResult`. The environment validates inputs. The run rejects if a tool crashes or the episode is lost. The signal
 * of the run stops waiting for a tool. If the environment grades the final message of the model, pass the result to
 * `submitFinalMessage`. Requires the package `@openai/agents-core`.
 *
 * @throws Error if the package is missing; as `session.tools`.
 * @example
 * const agent = new Agent({
 *   name: 'player',
 *   tools: await agentTools(session, { onResult: ({ tool, reward }) => console.log(tool, reward) }),
 *   toolUseBehavior: endWhenEpisodeOver(session),
 * });
 */
export async function agentTools(session: BridgeSession, options: BridgePlayOptions = {}): Promise<AgentTool[]> {
  const { tool, ModelBehaviorError } = await loadOptionalPackage(
    '@openai/agents-core',
    'agentTools',
    () => import('@openai/agents-core'),
  );
  const { tools, call } = await playSession(session, 'openai-responses', options);
  return tools.map(({ name, description = '', parameters }) => {
    const agentTool = tool({
      name,
      description,
      // The type of the package allows only two kinds of object schemas.
      parameters: { properties: {}, required: [], ...parameters } as unknown as AgentParameters,
      strict: false,
      async execute(value: unknown, _context, details) {
        if (!isRecord(value)) return invalidInputMessage(name);
        return toAgentOutput(await call(name, value, details?.signal));
      },
      errorFunction(_context, error) {
        if (error instanceof ModelBehaviorError) return invalidInputMessage(name);
        throw error;
      },
    });
    // AgentTool declares the same fields without types of the package.
    return agentTool as unknown as AgentTool;
  });
}

const invalidInputMessage = (name: string): string => `Tool '${name}' failed: invalid input: expected a JSON object.`;

/**
 * Type of `toolUseBehavior` in the package.
 *
 * @example
 * const toolUseBehavior: ToolUseBehavior = endWhenEpisodeOver(session);
 * const agent = new Agent({ name: 'player', tools: await agentTools(session), toolUseBehavior });
 */
export type ToolUseBehavior = (
  context: unknown,
  results: readonly { readonly type: string; readonly output?: unknown }[],
) =>
  | { readonly isFinalOutput: true; readonly isInterrupted: undefined; readonly finalOutput: string }
  | { readonly isFinalOutput: false; readonly isInterrupted: undefined };

/**
 * Returns a `toolUseBehavior` that ends the run when the episode is over. The final output is the text of the last tool.
 *
 * @example
 * new Agent({ name: 'player', tools: await agentTools(session), toolUseBehavior: endWhenEpisodeOver(session) });
 */
export const endWhenEpisodeOver =
  (session: Pick<BridgeSession, 'finished'>): ToolUseBehavior =>
  (_context, results) => {
    if (!isEpisodeOver(session)) return { isFinalOutput: false, isInterrupted: undefined };
    return { isFinalOutput: true, isInterrupted: undefined, finalOutput: textOf(results.at(-1)?.output) };
  };

/**
 * Result of `run` in the package: the items of its last response are read.
 *
 * @example
 * const agent = new Agent({ name: 'player', tools: await agentTools(session) });
 * const result: AgentRunResult = await run(agent, await agentInput(session), { maxTurns: 20 });
 * await submitFinalMessage(session, result);
 */
export interface AgentRunResult {
  readonly rawResponses: readonly { readonly output: readonly object[] }[];
}

/**
 * Submits the final message of a model as its answer, if the environment grades it: the texts of the last response
 * without reasoning. Call it after every run; nothing is submitted for an environment without a terminal tool, after the
 * end of the episode, and for a run that ended with tool calls. A run that exceeds `maxTurns` rejects, and is not graded.
 *
 * If the result has `reason: 'input_validation'`, the answer was not graded, and the model may give another one.
 *
 * @returns the result with its reward; null if nothing was submitted, so that the reward is unknown, which is not 0.
 * @throws the error of the session if the tool crashed or the episode is lost.
 * @example
 * const agent = new Agent({ name: 'player', tools: await agentTools(session) });
 * const graded = await submitFinalMessage(session, await run(agent, await agentInput(session)));
 * console.log(graded?.reward ?? 'not graded');
 */
export async function submitFinalMessage(
  session: BridgeSession,
  { rawResponses }: AgentRunResult,
  options: BridgePlayOptions = {},
): Promise<BridgeCallResult | null> {
  const items = (rawResponses.at(-1)?.output ?? []).map(fieldsOf);
  if (items.some(({ type }) => type === 'function_call')) return null;
  const contents = items.flatMap(({ role, content }) =>
    role === 'assistant' && Array.isArray(content) ? content : [],
  );
  const texts = contents.map(fieldsOf).flatMap(({ type, text }) => (type === 'output_text' ? [String(text)] : []));
  return submitFinalText(session, texts.join('\n'), options);
}

function toAgentOutput({ blocks }: VisibleResult): string | AgentContent[] {
  if (blocks.every(({ type }) => type === 'text')) return joinText(blocks);
  return blocks.map((block) =>
    block.type === 'text' ? block : { type: 'image', image: { data: block.data, mediaType: block.mimeType } },
  );
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  const parts: readonly unknown[] = Array.isArray(output) ? output : [];
  return parts.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : [])).join('\n');
}

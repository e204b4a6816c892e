import { formatTools, restoreCall } from '../../client/index.ts';
import { isRecord } from '../../core/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import {
  type BridgePlayOptions,
  type BridgeSession,
  isEpisodeOver,
  loadOptionalPackage,
  playSession,
  type VisibleResult,
} from '../session/index.ts';

/** A function tool as the package `@openai/agents-core` takes it. */
export interface AgentTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: AgentParameters;
  readonly strict: false;
  readonly invoke: (context: unknown, input: string) => Promise<string | AgentContent[]>;
  readonly needsApproval: () => Promise<boolean>;
  readonly isEnabled: () => Promise<boolean>;
}

export interface AgentParameters {
  type: 'object';
  properties: Record<string, object>;
  required: string[];
  /** What the type of the package has; the schema may say otherwise. */
  additionalProperties: true;
  [keyword: string]: unknown;
}

export type AgentContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: { readonly data: string; readonly mediaType: string } };

export interface AgentToolsOptions extends BridgePlayOptions {}

/**
 * The tools of an episode as function tools for `new Agent({ tools })` of the package `@openai/agents-core`, which it
 * needs. The model is shown blocks alone; rewards go to `onResult`. Inputs are checked by the environment. A tool that
 * failed by itself, or a lost episode, rejects the run. The signal of the run ends the waiting for a tool.
 *
 * @throws Error where the package is missing; as `session.tools`.
 */
export async function agentTools(session: BridgeSession, options: AgentToolsOptions = {}): Promise<AgentTool[]> {
  const { tool, ModelBehaviorError } = await loadAgents();
  const tools = await session.tools();
  const player = playSession(session, options);
  return formatTools(tools, 'openai-responses').map(({ name, description = '', parameters }) => {
    const made = tool({
      name,
      description,
      // A schema of any kind of object; the type knows two of them.
      parameters: { properties: {}, required: [], ...parameters } as unknown as AgentParameters,
      strict: false,
      async execute(given: unknown, _context, details) {
        if (!isRecord(given)) return notAnObject(name);
        // What a model wrote was parsed as JSON.
        const call = restoreCall({ name, input: given as JSONObject }, tools, 'openai-responses');
        return outputOf(await player.call(call.name, call.input, details?.signal));
      },
      errorFunction(_context, error) {
        if (error instanceof ModelBehaviorError) return notAnObject(name);
        throw error;
      },
    });
    // The same with the types of this file.
    return made as unknown as AgentTool;
  });
}

const loadAgents = () => loadOptionalPackage('@openai/agents-core', 'agentTools', () => import('@openai/agents-core'));

const notAnObject = (name: string): string => `Tool '${name}' failed: its input is no JSON object; write one.`;

/** What the package asks `toolUseBehavior` for. */
export type ToolUseBehavior = (
  context: unknown,
  results: readonly { readonly type: string; readonly output?: unknown }[],
) =>
  | { readonly isFinalOutput: true; readonly isInterrupted: undefined; readonly finalOutput: string }
  | { readonly isFinalOutput: false; readonly isInterrupted: undefined };

/** For `toolUseBehavior`: ends the run with the episode; the final output is what the last tool said. */
export const endWhenEpisodeOver =
  (session: Pick<BridgeSession, 'finished'>): ToolUseBehavior =>
  (_context, results) => {
    if (!isEpisodeOver(session)) return { isFinalOutput: false, isInterrupted: undefined };
    return { isFinalOutput: true, isInterrupted: undefined, finalOutput: textOf(results.at(-1)?.output) };
  };

function outputOf({ blocks }: VisibleResult): string | AgentContent[] {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (texts.length === blocks.length) return texts.join('\n');
  return blocks.map((block) =>
    block.type === 'text' ? block : { type: 'image', image: { data: block.data, mediaType: block.mimeType } },
  );
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  const parts: readonly unknown[] = Array.isArray(output) ? output : [];
  return parts.flatMap((part) => (isRecord(part) && typeof part.text === 'string' ? [part.text] : [])).join('\n');
}

import { formatTools, type ObjectSchema, restoreCall } from '../../client/index.ts';
import { isRecord } from '../../core/index.ts';
import type { JSONObject } from '../../protocol/index.ts';
import {
  type BridgePlayOptions,
  type BridgeSession,
  isEpisodeOver,
  playSession,
  type VisibleResult,
} from '../session/index.ts';

/** A tool as `generateText` and `streamText` of the package `ai` take it. */
export interface AiTool {
  readonly description?: string;
  readonly inputSchema: AiSchema;
  readonly execute: (
    input: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<VisibleResult>;
  readonly toModelOutput: (result: { readonly output: VisibleResult }) => AiToolOutput;
}

/** A schema in the words of Standard Schema, with its form in JSON. */
export interface AiSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'ors-kit';
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      readonly input: () => Record<string, unknown>;
      readonly output: () => Record<string, unknown>;
    };
  };
}

export type AiToolOutput =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'error-text'; readonly value: string }
  | { readonly type: 'content'; readonly value: AiContent[] };

export type AiContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image-data'; readonly data: string; readonly mediaType: string };

export interface AiToolsOptions extends BridgePlayOptions {}

/**
 * The tools of an episode as a ToolSet for `generateText({ tools })` and `streamText` of the package `ai`, version 6.
 * The model is shown blocks alone; rewards go to `onResult`. Inputs are checked by the environment. A tool that failed by
 * itself, or a lost episode, rejects `execute`, which the package makes a result with an error of.
 * Its `abortSignal` ends the waiting for a tool.
 *
 * @throws as `session.tools`.
 */
export async function aiTools(session: BridgeSession, options: AiToolsOptions = {}): Promise<Record<string, AiTool>> {
  const tools = await session.tools();
  const player = playSession(session, options);
  // Names and schemas that OpenAI takes are taken by every provider of the package.
  const entries = formatTools(tools, 'openrouter').map(({ function: { name, description, parameters } }) => {
    const execute = async (
      given: unknown,
      { abortSignal }: { readonly abortSignal?: AbortSignal | undefined } = {},
    ): Promise<VisibleResult> => {
      // The package calls this with the input that a model wrote, or an application gave.
      const input = isRecord(given) ? (given as JSONObject) : {};
      const call = restoreCall({ name, input }, tools, 'openrouter');
      return player.call(call.name, call.input, abortSignal);
    };
    const inputSchema = schemaOf(parameters);
    return [
      name,
      { ...(description === undefined ? {} : { description }), inputSchema, execute, toModelOutput },
    ] as const;
  });
  return Object.fromEntries(entries);
}

/** For `stopWhen`: whether the episode is finished or lost. */
export const whenEpisodeOver = (session: Pick<BridgeSession, 'finished'>) => (): boolean => isEpisodeOver(session);

/** By this mark the package knows schemas that are JSON Schema already; to others it adds what they do not say. */
const PACKAGE_SCHEMA = Symbol.for('vercel.ai.schema');

function schemaOf(schema: ObjectSchema): AiSchema {
  const json = () => structuredClone(schema) as Record<string, unknown>;
  const standard: AiSchema = {
    '~standard': {
      version: 1,
      vendor: 'ors-kit',
      validate: (value) => ({ value }),
      jsonSchema: { input: json, output: json },
    },
  };
  return Object.assign(standard, { [PACKAGE_SCHEMA]: true, jsonSchema: json(), validate: undefined });
}

function toModelOutput({ output: { blocks, isError } }: { readonly output: VisibleResult }): AiToolOutput {
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (isError) return { type: 'error-text', value: texts.join('\n') };
  if (texts.length === blocks.length) return { type: 'text', value: texts.join('\n') };
  return {
    type: 'content',
    value: blocks.map((block) =>
      block.type === 'text' ? block : { type: 'image-data', data: block.data, mediaType: block.mimeType },
    ),
  };
}

import type { ObjectSchema } from '../../client/formats/index.ts';
import { joinText } from '../../protocol/index.ts';
import {
  type BridgeCallResult,
  type BridgePlayOptions,
  type BridgeSession,
  isEpisodeOver,
  playSession,
  submitFinalText,
  type VisibleBlock,
  type VisibleResult,
} from '../session/index.ts';

/**
 * Major version of the package `ai`.
 *
 * @example
 * const version: AiVersion = 6;
 * const prompt = await aiPrompt(session, { version });
 */
export type AiVersion = 6 | 7;

/**
 * Options with which the package calls a tool.
 *
 * @example
 * const options: AiExecuteOptions = { abortSignal: AbortSignal.timeout(60_000) };
 * const { look } = await aiTools(session);
 * await look?.execute({}, options);
 */
export interface AiExecuteOptions {
  readonly abortSignal?: AbortSignal | undefined;
  /** Passed by version 7; version 6 has `experimental_context` instead. */
  readonly context?: unknown;
}

/**
 * Tool for `generateText` and `streamText` of the package `ai`.
 *
 * @example
 * const tools: Record<string, AiTool> = await aiTools(session);
 * const result = await tools.look?.execute({});
 */
export interface AiTool {
  readonly description?: string;
  readonly inputSchema: AiSchema;
  /** Calls the tool. @throws the error of the session if the tool crashed or the episode is lost */
  readonly execute: (input: unknown, options?: AiExecuteOptions) => Promise<VisibleResult>;
  /** Converts a result to what the model sees. */
  readonly toModelOutput: (result: { readonly output: VisibleResult }) => AiToolOutput;
}

/**
 * Standard Schema with a JSON Schema form.
 *
 * @example
 * const { look } = await aiTools(session);
 * const schema = look?.inputSchema['~standard'].jsonSchema.input();
 */
export interface AiSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'ors-kit';
    /** Accepts every value: the environment validates inputs. */
    readonly validate: (value: unknown) => { readonly value: unknown };
    readonly jsonSchema: {
      /** Returns the JSON Schema of the input. */
      readonly input: () => Record<string, unknown>;
      /** Returns the same JSON Schema: no value is converted. */
      readonly output: () => Record<string, unknown>;
    };
  };
}

/**
 * Output of a tool for the model.
 *
 * @example
 * const output: AiToolOutput = { type: 'error-text', value: 'invalid input: expected a direction' };
 */
export type AiToolOutput =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'error-text'; readonly value: string }
  | { readonly type: 'content'; readonly value: AiContent[] };

/**
 * Content part of a tool output. For version 7, an image is `{ type: 'file', data: { type: 'data', data }, mediaType }`. The
 * type has only the form that the types of both versions have.
 *
 * @example
 * const content: AiContent = { type: 'image-data', data: 'iVBORw0KGgo=', mediaType: 'image/png' };
 */
export type AiContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image-data'; readonly data: string; readonly mediaType: string };

/**
 * Returns the tools of an episode as a ToolSet for `generateText` and `streamText` of the package `ai`, version 6 or 7. The
 * model sees only blocks; rewards go to `onResult`. The environment validates inputs. `execute` rejects if a tool
 * crashes or the episode is lost; the package then shows an error to the model. `abortSignal` stops waiting for a tool.
 * If the environment grades the final message of the model, pass the result to `submitFinalMessage`.
 *
 * @throws as `session.tools`.
 * @example
 * const { text } = await generateText({
 *   model,
 *   ...(await aiPrompt(session)),
 *   tools: await aiTools(session, { onResult: ({ tool, reward }) => console.log(tool, reward) }),
 *   stopWhen: whenEpisodeOver(session),
 * });
 */
export async function aiTools(
  session: BridgeSession,
  options: BridgePlayOptions = {},
): Promise<Record<string, AiTool>> {
  // Every provider of the package accepts names and schemas of this format.
  const { tools, call } = await playSession(session, 'openrouter', options);
  let version: AiVersion = 6;
  const entries = tools.map(({ function: { name, description, parameters } }): [string, AiTool] => [
    name,
    {
      ...(description === undefined ? {} : { description }),
      inputSchema: toAiSchema(parameters),
      execute(input, { abortSignal, ...others } = {}) {
        if ('context' in others) version = 7;
        return call(name, input, abortSignal);
      },
      toModelOutput: ({ output }) => toModelOutput(output, version),
    },
  ]);
  return Object.fromEntries(entries);
}

/**
 * Returns a condition for `stopWhen`, which is true when the episode is finished or lost.
 *
 * @example
 * const tools = await aiTools(session);
 * await generateText({ model, ...(await aiPrompt(session)), tools, stopWhen: whenEpisodeOver(session) });
 */
export const whenEpisodeOver = (session: Pick<BridgeSession, 'finished'>) => (): boolean => isEpisodeOver(session);

/**
 * Result of `generateText` or `streamText`, or its last step.
 *
 * @example
 * const result: AiRunResult = await generateText({ model, ...(await aiPrompt(session)) });
 * await submitFinalMessage(session, result);
 */
export interface AiRunResult {
  /** Content of the last step in version 6, of all steps in version 7. */
  readonly content: readonly AiResultPart[] | PromiseLike<readonly AiResultPart[]>;
  /** All steps; undefined for a single step. */
  readonly steps?: readonly AiStep[] | PromiseLike<readonly AiStep[]>;
}

/**
 * Step of a run: a response of the model.
 *
 * @example
 * const step: AiStep = { content: [{ type: 'text', text: 'The answer is 42.' }] };
 * await submitFinalMessage(session, step);
 */
export interface AiStep {
  readonly content: readonly AiResultPart[];
}

/**
 * Part of the content of a step.
 *
 * @example
 * const part: AiResultPart = { type: 'text', text: 'The answer is 42.' };
 * await submitFinalMessage(session, { content: [part] });
 */
export interface AiResultPart {
  readonly type: string;
  readonly text?: string;
  readonly providerExecuted?: boolean | undefined;
}

/**
 * Submits the final message of a model as its answer, if the environment grades it: the texts of the last step without
 * reasoning. Call it after every run; nothing is submitted for an environment without a terminal tool, after the end of
 * the episode, and for a run that ended with tool calls, such as at the limit of steps.
 *
 * If the result has `reason: 'input_validation'`, the answer was not graded, and the model may give another one.
 *
 * @returns the result with its reward; null if nothing was submitted, so that the reward is unknown, which is not 0.
 * @throws the error of the session if the tool crashed or the episode is lost.
 * @example
 * const tools = await aiTools(session);
 * const result = await generateText({ model, ...(await aiPrompt(session)), tools, stopWhen: whenEpisodeOver(session) });
 * const graded = await submitFinalMessage(session, result);
 * console.log(graded?.reward ?? 'not graded');
 */
export async function submitFinalMessage(
  session: BridgeSession,
  { content, steps }: AiRunResult,
  options: BridgePlayOptions = {},
): Promise<BridgeCallResult | null> {
  const last = (await steps)?.at(-1);
  const parts = last ? last.content : await content;
  // Tools of the provider run within a step.
  if (parts.some(({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true)) return null;
  const texts = parts.flatMap(({ type, text = '' }) => (type === 'text' ? [text] : []));
  return submitFinalText(session, texts.join('\n'), options);
}

/** Marks schemas that are already JSON Schema; the package adds keywords to others. */
const PACKAGE_SCHEMA = Symbol.for('vercel.ai.schema');

function toAiSchema(schema: ObjectSchema): AiSchema {
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

/** Converts a result to what the model sees. */
export function toModelOutput({ blocks, isError }: VisibleResult, version: AiVersion): AiToolOutput {
  const value = joinText(blocks);
  if (isError) return { type: 'error-text', value };
  if (blocks.every(({ type }) => type === 'text')) return { type: 'text', value };
  const image = version === 6 ? toImageData : toFile;
  return { type: 'content', value: blocks.map((block) => (block.type === 'text' ? block : image(block))) };
}

type VisibleImage = Extract<VisibleBlock, { type: 'image' }>;

const toImageData = ({ data, mimeType }: VisibleImage): AiContent => ({
  type: 'image-data',
  data,
  mediaType: mimeType,
});

/** Returns the form of version 7, which warns about `image-data`. Its cast is explained at `AiContent`. */
const toFile = ({ data, mimeType }: VisibleImage): AiContent =>
  ({ type: 'file', data: { type: 'data', data }, mediaType: mimeType }) as unknown as AiContent;

import type { ToolFormat } from '../../../client/index.ts';
import type { JSONObject } from '../../../protocol/index.ts';

/**
 * Language model of the AI SDK, interface version 3 or 4 (`ai` 6 and 7), as created by a provider's package
 * (`createOpenAI()('gpt-5')`) or by `loadModel`. Structural, because the packages are optional.
 *
 * @example
 * const model: LanguageModel = await loadModel('openai/gpt-5');
 * const agent = modelAgent({ model });
 */
export interface LanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  /** Requests a response. */
  doGenerate(options: never): PromiseLike<unknown>;
  /** Requests a response as a stream. */
  doStream(options: never): PromiseLike<unknown>;
  /** Advice for error messages. @default generic; `loadModel` sets it */
  readonly advice?: ModelAdvice;
  /** Secrets to redact in errors of the provider, such as API keys. @default none; `loadModel` sets them */
  readonly secrets?: readonly string[];
}

/**
 * Advice for users, as parts of a sentence.
 *
 * @example
 * const advice: ModelAdvice = { key: 'set MY_API_KEY', model: 'see https://models.example.com' };
 * const agent = modelAgent({ model: Object.assign(model, { advice }) });
 */
export interface ModelAdvice {
  /** Follows the error if the provider rejects the API key. */
  readonly key: string;
  /** Follows the error if the provider does not know the model. */
  readonly model: string;
}

/** Language model with the types of the methods that are used here. */
export interface ProviderModel extends Pick<LanguageModel, 'provider' | 'modelId' | 'advice' | 'secrets'> {
  readonly specificationVersion: 'v3' | 'v4';
  doGenerate(request: ModelRequest): PromiseLike<GenerateResult>;
  doStream(request: ModelRequest): PromiseLike<{ readonly stream: AsyncIterable<StreamPart> }>;
}

export interface ModelRequest extends Sampling {
  readonly prompt: readonly ModelMessage[];
  readonly tools: readonly ModelTool[] | undefined;
  readonly abortSignal: AbortSignal;
}

/**
 * Sampling parameters; the provider has defaults for them.
 *
 * @example
 * const sampling: Sampling = { temperature: 0.7, topP: 0.95, maxOutputTokens: 4096 };
 * const agent = modelAgent({ model, ...sampling });
 */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly seed?: number;
  readonly providerOptions?: ProviderData;
}

/**
 * Provider-specific data, by provider name.
 *
 * @example
 * const providerOptions: ProviderData = { openai: { reasoningEffort: 'high' } };
 * const agent = modelAgent({ model, providerOptions });
 */
export type ProviderData = Readonly<Record<string, JSONObject>>;

export interface ModelTool {
  readonly type: 'function';
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: object;
  readonly strict?: false;
}

export type ModelMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: readonly (TextPart | FilePart)[] }
  | { readonly role: 'assistant'; readonly content: readonly (TextPart | ReasoningPart | ToolCallPart)[] }
  | { readonly role: 'tool'; readonly content: readonly ToolResultPart[] };

export interface TextPart {
  readonly type: 'text';
  readonly text: string;
  readonly providerOptions?: ProviderData;
}

interface ReasoningPart extends Omit<TextPart, 'type'> {
  readonly type: 'reasoning';
}

export interface FilePart {
  readonly type: 'file';
  readonly mediaType: string;
  /** Base64 data; version 4 wraps it. */
  readonly data: string | { readonly type: 'data'; readonly data: string };
}

interface ToolCallPart extends Pick<ToolCallOutputPart, 'type' | 'toolCallId' | 'toolName'> {
  readonly input: JSONObject;
  readonly providerOptions?: ProviderData;
}

export interface ToolResultPart extends Pick<ToolCallOutputPart, 'toolCallId' | 'toolName'> {
  readonly type: 'tool-result';
  readonly output:
    | { readonly type: 'text' | 'error-text'; readonly value: string }
    | { readonly type: 'content'; readonly value: readonly (TextPart | FilePart | ImageDataPart)[] };
}

/** Image in a tool result of version 3. */
interface ImageDataPart {
  readonly type: 'image-data';
  readonly mediaType: string;
  readonly data: string;
}

export interface GenerateResult {
  readonly content: readonly ContentPart[];
  readonly finishReason: FinishReason;
  readonly usage: ProviderUsage;
  readonly response?: { readonly modelId?: string };
}

/** Output of a model. Parts of the last kind are ignored. */
export type ContentPart = TextOutputPart | ToolCallOutputPart | { readonly type: 'source' | 'file' | 'custom' };

export interface TextOutputPart {
  readonly type: 'text' | 'reasoning';
  readonly text: string;
  readonly providerMetadata?: ProviderData;
}

export interface ToolCallOutputPart {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  /** Arguments as the model generated them, usually JSON. */
  readonly input: string;
  /** True for a tool of the provider, which runs it. */
  readonly providerExecuted?: boolean;
  readonly providerMetadata?: ProviderData;
}

export interface FinishReason {
  /** `stop`, `length`, `content-filter`, `tool-calls`, `error`, `other`, and in version 4 `interrupted`. */
  readonly unified: string;
  /** Reason as the provider reported it. */
  readonly raw: string | undefined;
}

export interface ProviderUsage {
  readonly inputTokens: { readonly total: number | undefined };
  readonly outputTokens: { readonly total: number | undefined };
}

interface StreamPartId {
  readonly id: string;
  readonly providerMetadata?: ProviderData;
}

/** Parts of other types are ignored. */
export type StreamPart =
  | ({ readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end' } & StreamPartId)
  | ({ readonly type: 'text-delta' | 'reasoning-delta'; readonly delta: string } & StreamPartId)
  | ToolCallOutputPart
  | { readonly type: 'response-metadata'; readonly modelId?: string }
  | { readonly type: 'finish'; readonly usage: ProviderUsage; readonly finishReason: FinishReason }
  | { readonly type: 'error'; readonly error: unknown };

/** @throws TypeError for a model with an unsupported interface version. */
export function toProviderModel(model: LanguageModel): ProviderModel {
  const { specificationVersion: version, modelId } = model;
  // Both versions have these methods, by their specification.
  if (version === 'v3' || version === 'v4') return model as unknown as ProviderModel;
  throw new TypeError(
    `invalid specificationVersion of the model ${JSON.stringify(modelId)}: expected v3 or v4, got ` +
      `${JSON.stringify(version)}; install a newer version of the provider's package`,
  );
}

/** Properties of requests that depend on the provider. */
export interface ProviderDialect {
  /** Format of tools, whose rules the schemas have to follow. */
  readonly tools: Extract<ToolFormat, 'openai' | 'anthropic' | 'openrouter'>;
  /** True if tools are strict by default, which makes optional inputs required. */
  readonly isStrict: boolean;
  /** True if tool results may contain images. */
  readonly showsImagesInResults: boolean;
  /** Reasoning of other models that the provider accepts; its package drops any other. */
  readonly acceptsReasoning: 'any' | 'signed' | 'none';
  readonly version: ProviderModel['specificationVersion'];
}

export function getProviderDialect({ provider, specificationVersion: version }: ProviderModel): ProviderDialect {
  const isAnthropic = /\banthropic\b/.test(provider);
  const isResponses = provider.endsWith('.responses');
  const isOpenAI = /^(openai|azure|openai-compatible|openaiCompatible)\b/.test(provider);
  return {
    // Works with the models of every provider.
    tools: isAnthropic ? 'anthropic' : isOpenAI ? 'openai' : 'openrouter',
    isStrict: isResponses,
    showsImagesInResults: isAnthropic || isResponses,
    acceptsReasoning: isAnthropic ? 'signed' : /^(openai|azure)\./.test(provider) ? 'none' : 'any',
    version,
  };
}

import type { JSONObject } from '../../../protocol/index.ts';

/**
 * A model of the AI SDK, by its interface of version 3 or 4 (`ai` 6 and 7): what a provider's package makes, such as
 * `createOpenAI()('gpt-5')`, or `loadModel`. No type of an optional package stands here.
 */
export interface LanguageModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
  /** What to do where the provider refuses the key, or knows no such model; `loadModel` can tell. */
  readonly advice?: ModelAdvice;
  /** Taken out of what the provider says, such as keys; `loadModel` knows them. */
  readonly secrets?: readonly string[];
}

export interface ModelAdvice {
  readonly key: string;
  readonly model: string;
}

/** The same model as it is used here. */
export interface ProviderModel {
  readonly specificationVersion: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  doGenerate(request: ModelRequest): PromiseLike<GenerateResult>;
  doStream(request: ModelRequest): PromiseLike<{ readonly stream: AsyncIterable<StreamPart> }>;
  readonly advice?: ModelAdvice;
  readonly secrets?: readonly string[];
}

export interface ModelRequest extends Sampling {
  readonly prompt: readonly ModelMessage[];
  readonly tools: readonly ModelTool[] | undefined;
  readonly abortSignal: AbortSignal;
}

/** How a model chooses its words; what is left out is the provider's to say. */
export interface Sampling {
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly seed?: number;
  readonly providerOptions?: ProviderData;
}

/** What only one provider understands, under its name. */
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

interface ReasoningPart {
  readonly type: 'reasoning';
  readonly text: string;
  readonly providerOptions?: ProviderData;
}

/** Base64; version 4 says what the data is. */
type FileData = string | { readonly type: 'data'; readonly data: string };

export interface FilePart {
  readonly type: 'file';
  readonly mediaType: string;
  readonly data: FileData;
}

interface ToolCallPart {
  readonly type: 'tool-call';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: JSONObject;
  readonly providerOptions?: ProviderData;
}

export interface ToolResultPart {
  readonly type: 'tool-result';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output:
    | { readonly type: 'text' | 'error-text'; readonly value: string }
    | { readonly type: 'content'; readonly value: readonly (TextPart | FilePart | ImageDataPart)[] };
}

/** An image inside a result in version 3. */
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

/** What a model gave, besides kinds that nothing is done with here. */
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
  /** As the model wrote it, most often JSON. */
  readonly input: string;
  /** The provider's own tool, which it runs itself. */
  readonly providerExecuted?: boolean;
  readonly providerMetadata?: ProviderData;
}

export interface FinishReason {
  /** `stop`, `length`, `content-filter`, `tool-calls`, `error`, `other`, and in version 4 `interrupted`. */
  readonly unified: string;
  /** In the provider's words. */
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

export type StreamPart =
  | ({ readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end' } & StreamPartId)
  | ({ readonly type: 'text-delta' | 'reasoning-delta'; readonly delta: string } & StreamPartId)
  | ToolCallOutputPart
  | { readonly type: 'response-metadata'; readonly modelId?: string }
  | { readonly type: 'finish'; readonly usage: ProviderUsage; readonly finishReason: FinishReason }
  | { readonly type: 'error'; readonly error: unknown }
  | {
      readonly type:
        | 'stream-start'
        | 'ping'
        | 'raw'
        | 'custom'
        | 'tool-input-start'
        | 'tool-input-delta'
        | 'tool-input-end';
    };

/** @throws TypeError for what is no model of a version that is understood here. */
export function toProviderModel(model: LanguageModel): ProviderModel {
  const { specificationVersion: version, modelId } = model;
  // Both versions have these methods, by their specification.
  if (version === 'v3' || version === 'v4') return model as unknown as ProviderModel;
  throw new TypeError(
    `the model ${JSON.stringify(modelId)} has version ${JSON.stringify(version)} of the AI SDK's interface, and v3 and v4 are understood; ` +
      'install a newer package of its provider',
  );
}

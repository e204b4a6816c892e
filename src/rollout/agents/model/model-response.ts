import { type Backoff, createRedactor, retryDelayMs, sleep } from '../../../core/index.ts';
import { AgentError, type StopReason } from '../../agent.ts';
import type {
  ContentPart,
  FinishReason,
  GenerateResult,
  ModelRequest,
  ProviderModel,
  ProviderUsage,
  StreamPart,
  TextOutputPart,
  ToolCallOutputPart,
} from './language-model.ts';
import {
  classifyProviderError,
  type ProviderError,
  type ProviderErrorKind,
  parseProviderError,
} from './provider-error.ts';

/** Maximum sum of the delays between the attempts of one request. */
const RETRY_BUDGET_MS = 1_200_000;
/** Delays between attempts of one request. */
const MODEL_BACKOFF: Backoff = { firstMs: 500, longestMs: 30_000 };
/** Maximum `Retry-After` that is honored. */
const MAX_RETRY_AFTER_MS = 600_000;

export interface ModelResponseOptions {
  readonly streaming: boolean;
  /** Maximum number of retries. */
  readonly retries: number;
  /** True until the model has responded in this conversation. */
  readonly isFirst: boolean;
  /** Receives the delay before a retry, and its reason. */
  readonly onWait?: ((ms: number, reason: string) => void) | undefined;
}

/** Complete response of a model. */
export interface ModelResponse {
  /** In the order of generation. */
  readonly parts: readonly (TextOutputPart | ToolCallOutputPart)[];
  readonly finish: FinishReason;
  readonly usage: ProviderUsage;
  /** Model that responded, as reported by the provider. */
  readonly model: string | undefined;
}

/** Response of a model, or a stop reason that is not a failure. */
export type ModelStep = { readonly response: ModelResponse } | { readonly stop: StopReason };

/**
 * Requests the next response of a model. Retries are safe because nothing of a response is used before it is complete.
 *
 * @throws AgentError if the provider fails; the reason of the request's signal.
 */
export async function requestModelResponse(
  provider: ProviderModel,
  request: ModelRequest,
  options: ModelResponseOptions,
): Promise<ModelStep> {
  const { abortSignal: signal } = request;
  let waited = 0;
  for (let failures = 1; ; failures++) {
    try {
      return { response: await requestOnce(provider, request, options.streaming) };
    } catch (cause) {
      signal.throwIfAborted();
      const error = parseProviderError(cause, Date.now(), createRedactor(provider.secrets ?? []));
      const kind = classifyProviderError(error, options.isFirst);
      if (kind === 'context_overflow' || kind === 'refusal') return { stop: kind };
      if (kind !== 'temporary') {
        const scope = isAboutRequest(error) ? 'task' : 'run';
        throw new AgentError(ERROR_MESSAGES[kind](provider, error), { scope, cause });
      }
      const retryAfterMs = Math.min(MAX_RETRY_AFTER_MS, error.retryAfterMs ?? 0);
      const delay = retryDelayMs(failures - 1, MODEL_BACKOFF, retryAfterMs);
      if (failures > options.retries || waited + delay > RETRY_BUDGET_MS) {
        const attempts = failures === 1 ? 'the first attempt' : `${failures} attempts`;
        const message = `${describeModel(provider)} did not respond in ${attempts}: ${describeError(error)}`;
        throw new AgentError(message, { retryable: true, cause });
      }
      options.onWait?.(delay, describeError(error));
      await sleep(delay, signal);
      waited += delay;
    }
  }
}

/** Statuses of providers that reject what a request contains, such as an image; another task may have no such content. */
const isAboutRequest = ({ status }: ProviderError): boolean => status === 400 || status === 413 || status === 422;

async function requestOnce(provider: ProviderModel, request: ModelRequest, streaming: boolean): Promise<ModelResponse> {
  const response = streaming
    ? await readStream((await provider.doStream(request)).stream)
    : toModelResponse(await provider.doGenerate(request));
  if (response.finish.unified === 'error') throw new TruncatedStreamError('the response ended with an error');
  return response;
}

const toModelResponse = ({ content, finishReason, usage, response }: GenerateResult): ModelResponse => ({
  parts: content.filter(isRetainedPart),
  finish: finishReason,
  usage,
  model: response?.modelId,
});

/** Returns whether a part is text, reasoning, or a call that the agent has to make. */
function isRetainedPart(part: ContentPart): part is TextOutputPart | ToolCallOutputPart {
  if (part.type === 'text' || part.type === 'reasoning') return true;
  return part.type === 'tool-call' && part.providerExecuted !== true;
}

/** Error of a stream that ended before the response did. */
class TruncatedStreamError extends Error {
  override readonly name = 'TruncatedStreamError';
}

type PartialPart = { -readonly [Field in keyof TextOutputPart]: TextOutputPart[Field] };

/**
 * Reads a stream to its end.
 *
 * @throws TruncatedStreamError; the error that the stream contains, or that breaks it.
 */
async function readStream(stream: AsyncIterable<StreamPart>): Promise<ModelResponse> {
  const parts: (PartialPart | ToolCallOutputPart)[] = [];
  const open = new Map<string, PartialPart>();
  let model: string | undefined;
  let end: { readonly finishReason: FinishReason; readonly usage: ProviderUsage } | undefined;
  for await (const part of stream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'response-metadata') model = part.modelId ?? model;
    else if (part.type === 'finish') end = part;
    else if (part.type === 'tool-call') parts.push(part);
    else if (part.type === 'text-start' || part.type === 'reasoning-start') {
      const draft: PartialPart = { type: part.type === 'text-start' ? 'text' : 'reasoning', text: '' };
      parts.push(draft);
      open.set(part.id, draft);
      extendPart(draft, part);
    } else if ('id' in part) extendPart(open.get(part.id), part);
  }
  if (!end || isTruncated(end.finishReason)) {
    throw new TruncatedStreamError('the stream ended before the response was complete');
  }
  return { parts: parts.filter(isRetainedPart), finish: end.finishReason, usage: end.usage, model };
}

/** Provider packages of versions 4 and 3 report these reasons for a stream without an end. */
const isTruncated = ({ unified, raw }: FinishReason): boolean =>
  unified === 'interrupted' || (unified === 'other' && raw === undefined);

function extendPart(draft: PartialPart | undefined, part: Extract<StreamPart, { id: string }>): void {
  if (!draft) return;
  if ('delta' in part) draft.text += part.delta;
  // Each event replaces the metadata; the signature of a reasoning part arrives last.
  if (part.providerMetadata) draft.providerMetadata = part.providerMetadata;
}

type FinalErrorKind = Exclude<ProviderErrorKind, 'temporary' | 'context_overflow' | 'refusal'>;

const ERROR_MESSAGES: Readonly<Record<FinalErrorKind, (provider: ProviderModel, error: ProviderError) => string>> = {
  key: (provider, error) =>
    `${describeModel(provider)} rejected the API key: ${describeError(error)}; ${provider.advice?.key ?? 'check the API key'}`,
  no_model: (provider, error) =>
    `${describeModel(provider)} does not exist: ${describeError(error)}; ${provider.advice?.model ?? 'check the model name and the base URL'}`,
  quota: (provider, error) => `${describeModel(provider)} has no quota left: ${describeError(error)}`,
  final: (provider, error) => {
    // Some servers support streams, but not their options.
    const advice = /stream_options|include_usage/.test(error.message) ? '; disable streaming with --no-stream' : '';
    return `${describeModel(provider)} rejected the request: ${describeError(error)}${advice}`;
  },
};

const describeModel = ({ provider, modelId }: ProviderModel): string => `the model ${modelId} (${provider})`;

const describeError = ({ status, message }: ProviderError): string =>
  status === undefined ? message : `${message} (status ${status})`;

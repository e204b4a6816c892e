import { type Backoff, createRedactor, retryDelayMs, sleep } from '../../../core/index.ts';
import { AgentError, type StopReason } from '../../agent.ts';
import { type ModelResponse, toModelResponse } from './answer.ts';
import type { ModelRequest, ProviderModel } from './language-model.ts';
import {
  classifyProviderError,
  type ProviderError,
  type ProviderErrorKind,
  parseProviderError,
} from './provider-error.ts';
import { readStream, TruncatedStreamError } from './read-stream.ts';

/** The longest time that is waited before the repetitions of one request, all together. */
const RESPONSE_TIMEOUT_MS = 1_200_000;
/** Delays between attempts of one request. */
const MODEL_BACKOFF: Backoff = { firstMs: 500, longestMs: 30_000 };
/** The longest `Retry-After` that is honoured. */
const LONGEST_ASKED_MS = 600_000;

export interface ModelResponseOptions {
  readonly streaming: boolean;
  /** The most repetitions of a request that failed. */
  readonly retries: number;
  /** Whether the conversation has only its beginning. */
  readonly isFirst: boolean;
  /** Told of each pause before it begins: how long, and why. */
  readonly onWait?: ((ms: number, reason: string) => void) | undefined;
}

/** A model's answer, or what kept it from answering that is no failure. */
export type ModelStep = { readonly answer: ModelResponse } | { readonly stop: StopReason };

/**
 * Asks a model for its next answer: as often as it takes, within the retries, since nothing of an answer has been used
 * before all of it is there.
 *
 * @throws AgentError where the provider fails; the reason of the request's signal.
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
      return { answer: await once(provider, request, options.streaming) };
    } catch (cause) {
      signal.throwIfAborted();
      const error = parseProviderError(cause, Date.now(), createRedactor(provider.secrets ?? []));
      const verdict = classifyProviderError(error, options.isFirst);
      if (verdict === 'context_overflow' || verdict === 'refusal') return { stop: verdict };
      if (verdict !== 'again') throw new AgentError(SENTENCES[verdict](provider, error), { retryable: false, cause });
      const asked = Math.min(LONGEST_ASKED_MS, error.retryAfterMs ?? 0);
      const delay = retryDelayMs(failures - 1, MODEL_BACKOFF, asked);
      if (failures > options.retries || waited + delay > RESPONSE_TIMEOUT_MS) {
        const times = failures === 1 ? 'the first attempt' : `${failures} attempts`;
        const message = `${nameOf(provider)} gave no answer in ${times}: ${described(error)}`;
        throw new AgentError(message, { retryable: true, cause });
      }
      options.onWait?.(delay, described(error));
      await sleep(delay, signal);
      waited += delay;
    }
  }
}

async function once(provider: ProviderModel, request: ModelRequest, streaming: boolean): Promise<ModelResponse> {
  const response = streaming
    ? await readStream((await provider.doStream(request)).stream)
    : toModelResponse(await provider.doGenerate(request));
  if (response.finish.unified === 'error') throw new TruncatedStreamError('it ended its answer with an error');
  return response;
}

type FinalProviderError = Exclude<ProviderErrorKind, 'again' | 'context_overflow' | 'refusal'>;

const SENTENCES: Readonly<Record<FinalProviderError, (provider: ProviderModel, error: ProviderError) => string>> = {
  key: (provider, error) =>
    `${nameOf(provider)} refused the key: ${described(error)}; ${provider.advice?.key ?? 'check the key of its provider'}`,
  no_model: (provider, error) =>
    `${nameOf(provider)} is not there: ${described(error)}; ${provider.advice?.model ?? 'check the name of the model and the base URL'}`,
  quota: (provider, error) => `${nameOf(provider)} is paid for no longer: ${described(error)}`,
  final: (provider, error) => {
    // Some servers know streams, and not their options.
    const advice = /stream_options|include_usage/.test(error.message) ? '; ask for whole answers, by --no-stream' : '';
    return `${nameOf(provider)} refused the request: ${described(error)}${advice}`;
  },
};

const nameOf = ({ provider, modelId }: ProviderModel): string => `the model ${modelId} (${provider})`;

const described = ({ status, message }: ProviderError): string =>
  status === undefined ? message : `${message} (status ${status})`;

import type {
  ContentPart,
  FinishReason,
  GenerateResult,
  ProviderUsage,
  TextOutputPart,
  ToolCallOutputPart,
} from './language-model.ts';

/** A whole answer of a model. */
export interface ModelResponse {
  /** In the order in which it was given. */
  readonly parts: readonly (TextOutputPart | ToolCallOutputPart)[];
  readonly finish: FinishReason;
  readonly usage: ProviderUsage;
  /** Which model answered, as the provider says. */
  readonly model: string | undefined;
}

/** The answer of a provider that sent it at once. */
export const toModelResponse = ({ content, finishReason, usage, response }: GenerateResult): ModelResponse => ({
  parts: content.filter(isRetainedPart),
  finish: finishReason,
  usage,
  model: response?.modelId,
});

/** Text, reasoning, and calls that are ours to make. */
export function isRetainedPart(part: ContentPart): part is TextOutputPart | ToolCallOutputPart {
  if (part.type === 'text' || part.type === 'reasoning') return true;
  return part.type === 'tool-call' && part.providerExecuted !== true;
}

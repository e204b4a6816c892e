import type { CallPart, ContentPart, FinishReason, Generated, ProviderUsage, SaidPart } from './language-model.ts';

/** A whole answer of a model. */
export interface Answer {
  /** In the order in which it was given. */
  readonly parts: readonly (SaidPart | CallPart)[];
  readonly finish: FinishReason;
  readonly usage: ProviderUsage;
  /** Which model answered, as the provider says. */
  readonly model: string | undefined;
}

/** The answer of a provider that sent it at once. */
export const answerOf = ({ content, finishReason, usage, response }: Generated): Answer => ({
  parts: content.filter(isKept),
  finish: finishReason,
  usage,
  model: response?.modelId,
});

/** Text, reasoning, and calls that are ours to make. */
export function isKept(part: ContentPart): part is SaidPart | CallPart {
  if (part.type === 'text' || part.type === 'reasoning') return true;
  return part.type === 'tool-call' && part.providerExecuted !== true;
}

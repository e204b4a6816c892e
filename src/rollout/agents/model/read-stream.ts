import { isRetainedPart, type ModelResponse } from './answer.ts';
import type { FinishReason, ProviderUsage, StreamPart, TextOutputPart, ToolCallOutputPart } from './language-model.ts';

/** The stream ended before the answer did. */
export class TruncatedStreamError extends Error {
  override readonly name = 'CutStream';
}

type PartialPart = { -readonly [Field in keyof TextOutputPart]: TextOutputPart[Field] };

/**
 * Reads a stream to its end. Nothing of an answer is used before all of it is there.
 *
 * @throws CutStream; what the provider reports in the stream; what breaks it.
 */
export async function readStream(stream: AsyncIterable<StreamPart>): Promise<ModelResponse> {
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
      addTo(draft, part);
    } else if ('id' in part) addTo(open.get(part.id), part);
  }
  if (!end || isCut(end.finishReason)) throw new TruncatedStreamError('its stream ended before its answer did');
  return { parts: parts.filter(isRetainedPart), finish: end.finishReason, usage: end.usage, model };
}

/** What the packages of versions 4 and 3 make of a stream in which nobody said why it ended. */
const isCut = ({ unified, raw }: FinishReason): boolean =>
  unified === 'interrupted' || (unified === 'other' && raw === undefined);

function addTo(draft: PartialPart | undefined, part: Extract<StreamPart, { id: string }>): void {
  if (!draft) return;
  if ('delta' in part) draft.text += part.delta;
  // The last is whole: the signature of a thought comes after it.
  if (part.providerMetadata) draft.providerMetadata = part.providerMetadata;
}

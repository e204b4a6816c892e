import type { ToolFormat } from '../../../client/index.ts';
import type { ProviderModel } from './language-model.ts';

/** What of a request differs by the provider of a model. */
export interface ProviderDialect {
  /** Whose rules tools are made to fit. */
  readonly tools: Extract<ToolFormat, 'openai' | 'anthropic' | 'openrouter'>;
  /** Whether optional inputs would become required if nothing were said of it. */
  readonly isStrict: boolean;
  /** Whether an image can stand inside the result of a tool. */
  readonly showsImagesInResults: boolean;
  readonly version: ProviderModel['specificationVersion'];
}

export function getProviderDialect({ provider, specificationVersion: version }: ProviderModel): ProviderDialect {
  const isAnthropic = /\banthropic\b/.test(provider);
  const isResponses = provider.endsWith('.responses');
  const isOpenAI = /^(openai|azure|openai-compatible|openaiCompatible)\b/.test(provider);
  return {
    // What suits the models of every provider is the safest where nothing is known.
    tools: isAnthropic ? 'anthropic' : isOpenAI ? 'openai' : 'openrouter',
    isStrict: isResponses,
    showsImagesInResults: isAnthropic || isResponses,
    version,
  };
}

import type { Block, ImageBlock } from '../../protocol/index.ts';
import type {
  AnthropicImageType,
  AnthropicPart,
  GooglePart,
  McpContent,
  OpenAIPart,
  OpenAIResponsesPart,
} from './types.ts';

/** A block as it can be shown to a model: an image, or text; a block of a kind that is unknown here as its JSON. */
export type VisibleContent = { readonly text: string } | { readonly image: ImageBlock };

/** What of the blocks is for a model, in their order; not their `detail`, which is for programs. */
export function toVisibleContent(blocks: readonly Block[]): VisibleContent[] {
  return blocks.map((block) => {
    if (block.type === 'text') return { text: block.text };
    if (block.type === 'image') return { image: { ...block, mimeType: mediaType(block.mimeType) } };
    return { text: JSON.stringify(block) };
  });
}

export function openAIPart(part: VisibleContent): OpenAIPart {
  if ('text' in part) return { type: 'text', text: part.text };
  return { type: 'image_url', image_url: { url: dataUrl(part.image) } };
}

export function openAIResponsesPart(part: VisibleContent): OpenAIResponsesPart {
  if ('text' in part) return { type: 'input_text', text: part.text };
  return { type: 'input_image', image_url: dataUrl(part.image), detail: 'auto' };
}

/** Stands where a provider refuses to be shown nothing. */
const NOTHING: VisibleContent = { text: '(no text)' };

/** What can be seen: several providers refuse text that is empty, and messages that are. */
export function omitEmptyText(parts: readonly VisibleContent[]): readonly VisibleContent[] {
  const seen = parts.filter((part) => !('text' in part) || part.text.trim() !== '');
  return seen.length > 0 ? seen : [NOTHING];
}

/** @throws TypeError for a kind of image that Anthropic does not take. */
export function anthropicParts(parts: readonly VisibleContent[]): AnthropicPart[] {
  return parts.map((part): AnthropicPart => {
    if ('text' in part) return { type: 'text', text: part.text };
    const { data, mimeType } = part.image;
    if (!isAnthropicImage(mimeType)) {
      throw new TypeError(
        `Anthropic takes images of the types ${ANTHROPIC_IMAGES.join(', ')}, not ${mimeType}; convert the image before`,
      );
    }
    return { type: 'image', source: { type: 'base64', media_type: mimeType, data } };
  });
}

export function googlePart(part: VisibleContent): GooglePart {
  if ('text' in part) return { text: part.text };
  return { inlineData: { mimeType: part.image.mimeType, data: part.image.data } };
}

export function mcpContent(part: VisibleContent): McpContent {
  if ('text' in part) return { type: 'text', text: part.text };
  return { type: 'image', data: part.image.data, mimeType: part.image.mimeType };
}

const ANTHROPIC_IMAGES: readonly AnthropicImageType[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const isAnthropicImage = (type: string): type is AnthropicImageType => ANTHROPIC_IMAGES.some((known) => known === type);

const dataUrl = ({ data, mimeType }: ImageBlock): string => `data:${mimeType};base64,${data}`;

/** The registered name of a media type that is often written otherwise. */
const mediaType = (type: string): string => (type.toLowerCase() === 'image/jpg' ? 'image/jpeg' : type.toLowerCase());

import type { Block, ImageBlock } from './types.ts';

/** Block as a model sees it: text or an image. */
export type VisibleContent = { readonly text: string } | { readonly image: ImageBlock };

/** Text in place of content that a model cannot see, because several providers reject empty texts and messages. */
export const NO_TEXT = '(no text)';

/**
 * Converts blocks to visible content, without `detail`, which is for programs. Blocks of unknown types become JSON. Lone
 * surrogates are replaced, because providers and parsers of other languages reject them.
 */
export function toVisibleContent(blocks: readonly Block[]): VisibleContent[] {
  return blocks.map((block) => {
    if (block.type === 'text') return { text: block.text.toWellFormed() };
    if (block.type === 'image') return { image: { ...block, mimeType: mediaType(block.mimeType) } };
    return { text: JSON.stringify(block) };
  });
}

/** Returns the registered name of a media type; `image/jpg` is a common misspelling. */
const mediaType = (type: string): string => (type.toLowerCase() === 'image/jpg' ? 'image/jpeg' : type.toLowerCase());

/** Removes empty texts. If nothing remains, returns `NO_TEXT`. */
export function omitEmptyText(parts: readonly VisibleContent[]): readonly VisibleContent[] {
  const visible = parts.filter((part) => !('text' in part) || part.text.trim() !== '');
  return visible.length > 0 ? visible : [{ text: NO_TEXT }];
}

/** Images that are moved out of results. Each gets a number, which replaces it in the text. */
export class DetachedImages {
  readonly images: { readonly label: string; readonly image: ImageBlock }[] = [];

  /** Moves the images to `images` and returns the text with a mark for each of them. */
  detachFrom(parts: readonly VisibleContent[], tool: string): string {
    const lines = parts.map((part) => {
      if ('text' in part) return part.text;
      const mark = `image ${this.images.length + 1}`;
      this.images.push({ label: `${mark}, from the tool ${tool}:`, image: part.image });
      return `[${mark}]`;
    });
    return lines.join('\n');
  }
}

import { toBase64 } from '../core/index.ts';
import type { Block, ImageBlock, JSONObject, TextBlock } from './types.ts';

/**
 * Makes a text block.
 *
 * @param detail about the text, for programs; not shown to the model. Default: none.
 */
export function text(text: string, detail?: JSONObject): TextBlock {
  return detail === undefined ? { type: 'text', text } : { type: 'text', text, detail };
}

/**
 * Makes an image block.
 *
 * @param data the image's bytes, or a string that is base64 already.
 * @param mimeType its media type. Default: `image/png`.
 * @param detail about the image, for programs; not shown to the model. Default: none.
 */
export function image(data: Uint8Array | string, mimeType = 'image/png', detail?: JSONObject): ImageBlock {
  const base64 = typeof data === 'string' ? data : toBase64(data);
  return { type: 'image', data: base64, mimeType, ...(detail === undefined ? {} : { detail }) };
}

/** The text blocks, joined by a line feed. */
export const joinText = (blocks: readonly Block[]): string =>
  blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');

import { isRecord, parseDataUrl } from '../../core/index.ts';
import { type Block, image, type JSONObject, text } from '../../protocol/index.ts';
import type { outputParts } from '../../trace/formats/index.ts';

type Piece = Awaited<ReturnType<typeof outputParts>>[number];

/** A part that is a block of ORS already; undefined for all others. */
export function toOrsBlock(part: unknown): Block | undefined {
  if (!isRecord(part)) return undefined;
  const detail = isRecord(part.detail) ? { detail: part.detail as JSONObject } : {};
  if (part.type === 'text' && typeof part.text === 'string') return { ...text(part.text), ...detail };
  if (part.type === 'image' && typeof part.data === 'string' && typeof part.mimeType === 'string') {
    return { ...image(part.data, part.mimeType), ...detail };
  }
  return undefined;
}

/** Blocks of what other formats show; an image of which only the address is known becomes a line. */
export const partsToBlocks = (pieces: readonly Piece[]): Block[] =>
  pieces.map((piece) => {
    if (piece.kind === 'text') return text(piece.text);
    const data = parseDataUrl(piece.url);
    return data ? image(data.base64, piece.mediaType || data.mediaType || 'image/png') : text(`[image: ${piece.url}]`);
  });

/** What is said where an export has left something out. */
export const describeMissing = (trace: string, what: string): string =>
  `${trace}: ${what} is in a blob, which JSON Lines leave out; replay the trace from the store that has it`;

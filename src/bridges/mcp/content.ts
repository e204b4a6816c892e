import { isRecord } from '../../core/index.ts';
import { type Block, image, text } from '../../protocol/index.ts';

/** What a tool of an MCP server gave, as content of ORS: text and images; of all else a line that says what it was. */
export function toOrsBlocks(result: { readonly content?: unknown; readonly structuredContent?: unknown }): Block[] {
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  if (content.length === 0 && result.structuredContent !== undefined) {
    return [text(JSON.stringify(result.structuredContent))];
  }
  return content.map((part) => blockOf(isRecord(part) ? part : {}));
}

function blockOf(part: Readonly<Record<string, unknown>>): Block {
  const { type, resource } = part;
  if (type === 'text') return text(String(part.text));
  if (type === 'image') return pictureOf(part.data, part.mimeType);
  if (type === 'audio') return text(`[audio: ${String(part.mimeType)}]`);
  if (type === 'resource_link') return text(`[resource: ${String(part.name ?? '')} ${String(part.uri)}]`);
  if (type === 'resource' && isRecord(resource)) return resourceOf(resource);
  return text(JSON.stringify(part));
}

function resourceOf({ uri, text: written, blob, mimeType }: Readonly<Record<string, unknown>>): Block {
  if (typeof written === 'string') return text(written);
  if (typeof mimeType === 'string' && mimeType.startsWith('image/')) return pictureOf(blob, mimeType);
  return text(`[resource: ${String(uri)}${mimeType === undefined ? '' : `, ${String(mimeType)}`}]`);
}

function pictureOf(data: unknown, mimeType: unknown): Block {
  // The base64 of some has line feeds, or lacks its end; ORS wants it as one piece.
  const bytes = Buffer.from(String(data), 'base64');
  if (bytes.length === 0 || !/^image\/[\w.+-]+$/.test(String(mimeType))) {
    return text(`[image that cannot be read: ${String(mimeType)}]`);
  }
  return image(bytes.toString('base64'), String(mimeType));
}

import { isRecord, parseDataUrl } from '../../core/index.ts';
import { type Block, image, text } from '../../protocol/index.ts';
import type { McpToolResult } from './mcp-connection.ts';

/** Converts the content of an MCP result to text and images; content of other types becomes a line that describes it. */
export function toOrsBlocks(result: McpToolResult): Block[] {
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  if (content.length === 0 && result.structuredContent !== undefined) {
    return [text(JSON.stringify(result.structuredContent))];
  }
  return content.map((part) => toOrsBlock(isRecord(part) ? part : {}));
}

function toOrsBlock(part: Readonly<Record<string, unknown>>): Block {
  const { type, resource } = part;
  if (type === 'text' && typeof part.text === 'string') return text(part.text);
  if (type === 'image') return imageBlock(part.data, part.mimeType);
  if (type === 'audio') return text(`[audio: ${String(part.mimeType)}]`);
  if (type === 'resource_link') return text(`[resource: ${String(part.name ?? '')} ${String(part.uri)}]`);
  if (type === 'resource' && isRecord(resource)) return resourceBlock(resource);
  return text(JSON.stringify(part));
}

function resourceBlock({ uri, text: content, blob, mimeType }: Readonly<Record<string, unknown>>): Block {
  if (typeof content === 'string') return text(content);
  if (typeof mimeType === 'string' && mimeType.startsWith('image/')) return imageBlock(blob, mimeType);
  return text(`[resource: ${String(uri)}${mimeType === undefined ? '' : `, ${String(mimeType)}`}]`);
}

/** Base64 of either alphabet. Some servers break it into lines or omit its padding. */
const BASE64 = /^[A-Za-z0-9+/_\s-]+={0,2}\s*$/;

function imageBlock(data: unknown, mimeType: unknown): Block {
  // Some servers send a data URL instead of its content.
  const url = typeof data === 'string' ? parseDataUrl(data) : undefined;
  const base64 = url?.base64 ?? data;
  const type = url?.mediaType || String(mimeType);
  if (typeof base64 !== 'string' || !BASE64.test(base64) || !/^image\/[\w.+-]+$/.test(type)) {
    return text(`[image that cannot be read: ${type}]`);
  }
  return image(Buffer.from(base64, 'base64').toString('base64'), type);
}

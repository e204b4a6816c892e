import type { Block, BlockSkeleton, JSONValue } from '../../../../generated/trace.ts';

const PREVIEW_CHARACTERS = 120;

/** The outline of a block that came whole; sizes are those of its JSON. Source: trace.schema.json, BlockSkeleton. */
export function skeletonOf(block: Block): BlockSkeleton {
  const { id, block_type, sub_type, parent_block_id, created_at, payload, raw, extra } = block;
  const { call_id, seq } = payload as { readonly call_id?: unknown; readonly seq?: unknown };
  const reward = extra?.reward;
  return {
    ...{ id, block_type, sub_type, parent_block_id, created_at },
    call_id: typeof call_id === 'string' ? call_id : null,
    seq: Number.isSafeInteger(seq) && (seq as number) >= 0 ? (seq as number) : null,
    name: sub_type === 'TOOL_CALL' ? block.payload.name : null,
    role: sub_type === 'MESSAGE' ? block.payload.role : null,
    bytes: sizeOf(payload) + sizeOf(raw) + sizeOf(extra),
    reward: typeof reward === 'number' ? reward : null,
    is_error: isError(block),
    preview: Array.from(textOf(shownOf(block)).slice(0, 2 * PREVIEW_CHARACTERS))
      .slice(0, PREVIEW_CHARACTERS)
      .join('')
      .toWellFormed(),
  };
}

function isError({ sub_type, payload, extra }: Block): boolean {
  if (sub_type !== 'TOOL_RESULT') return false;
  const { output } = payload as { readonly output?: unknown };
  return extra?.tool_error === true || (output as { ok?: unknown } | null | undefined)?.ok === false;
}

const encoder = new TextEncoder();
const sizeOf = (value: unknown): number =>
  value === null || value === undefined ? 0 : encoder.encode(JSON.stringify(value)).length;

function shownOf(block: Block): unknown {
  if (block.sub_type === 'MESSAGE') return block.payload.content;
  if (block.sub_type === 'THINK') return block.payload.text;
  if (block.sub_type === 'TOOL_CALL') return block.payload.arguments;
  return block.payload.delta ?? block.payload.output;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const { blocks, error } = (value ?? {}) as { readonly blocks?: unknown; readonly error?: unknown };
  if (Array.isArray(blocks)) return textOf(blocks);
  if (typeof error === 'string') return error;
  const texts = Array.isArray(value) ? value.flatMap((part: JSONValue) => textOfPart(part)) : [];
  return texts.length > 0 ? texts.join('\n') : JSON.stringify(value);
}

function textOfPart(part: unknown): string[] {
  const { text } = (part ?? {}) as { readonly text?: unknown };
  return typeof text === 'string' ? [text] : [];
}

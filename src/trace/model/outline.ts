import type { Block, BlockSkeleton, PayloadTooLarge, Trace } from '../../../generated/trace.ts';
import {
  ExactNumber,
  fieldsOf,
  isRecord,
  oneLine,
  ownProperty,
  stringifyJson,
  stripControls,
  truncate,
  utf8Length,
} from '../../core/index.ts';
import type { NewBlock } from './block-rules.ts';
import { blockCallId } from './link-rules.ts';
import { hasDelta, siblingSeq } from './stitch.ts';

/** The JSON fields of a block as stored: compact JSON text, or null. */
export interface BlockJsonTexts {
  readonly payload: string;
  readonly raw: string | null;
  readonly extra: string | null;
}

export const toJsonTexts = ({ payload, raw, extra }: NewBlock): BlockJsonTexts => ({
  payload: stringifyJson(payload),
  raw: raw === null ? null : stringifyJson(raw),
  extra: extra === null ? null : stringifyJson(extra),
});

/** Returns the UTF-8 bytes of payload, raw and extra. @param bytesIn counts UTF-8 bytes. */
export const jsonTextBytes = ({ payload, raw, extra }: BlockJsonTexts, bytesIn = utf8Length): number =>
  bytesIn(payload) + bytesIn(raw ?? '') + bytesIn(extra ?? '');

/** Returns `extra.reward` if it is a number, as the nearest double, else null. */
export function blockReward({ extra }: Pick<NewBlock, 'extra'>): number | null {
  const value = ownProperty(extra, 'reward');
  const reward = value instanceof ExactNumber ? value.valueOf() : value;
  // Adding 0 turns -0 into 0, as JSON does.
  return typeof reward === 'number' && Number.isFinite(reward) ? reward + 0 : null;
}

/**
 * Returns the conversation of another agent that a block belongs to: `extra.thread`, a short text or a number above 0.
 * Undefined for the main agent.
 */
export function blockThread({ extra }: Pick<NewBlock, 'extra'>): string | undefined {
  const value = ownProperty(extra, 'thread');
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? String(value) : undefined;
  const isName = typeof value === 'string' && value !== '' && value.length <= MAX_THREAD && value.isWellFormed();
  return isName ? value : undefined;
}

const MAX_THREAD = 128;

/** Returns the name of the agent that has a conversation: that in `metadata.threads`, or else the thread itself. */
export function threadName({ metadata }: Pick<Trace, 'metadata'>, thread: string): string {
  const name = ownProperty(ownProperty(metadata.threads, thread), 'name');
  if (typeof name === 'string' && name !== '') return name;
  return /^\d+$/.test(thread) ? `agent ${thread}` : thread;
}

/** Returns true for a tool result that reports a failure: `extra.tool_error` is true, or `output.ok` is false. */
export function isErrorResult(block: NewBlock): boolean {
  if (block.sub_type !== 'TOOL_RESULT') return false;
  const { output } = block.payload;
  return ownProperty(block.extra, 'tool_error') === true || (isRecord(output) && output.ok === false);
}

/** Returns the skeleton of a block. Source: trace.schema.json, BlockSkeleton. */
export function toSkeleton(block: Block, bytes = jsonTextBytes(toJsonTexts(block))): BlockSkeleton {
  const { id, block_type, sub_type, parent_block_id, created_at } = block;
  return { id, block_type, sub_type, parent_block_id, ...toSkeletonFields(block), bytes, created_at };
}

type SkeletonFields = Pick<
  BlockSkeleton,
  'call_id' | 'seq' | 'name' | 'role' | 'reward' | 'is_error' | 'thread' | 'preview'
>;

/** Returns the fields of a skeleton that are derived from the content. */
export function toSkeletonFields(block: NewBlock): SkeletonFields {
  const thread = blockThread(block);
  return {
    call_id: blockCallId(block),
    seq: siblingSeq(block),
    name: block.sub_type === 'TOOL_CALL' ? block.payload.name : null,
    role: block.sub_type === 'MESSAGE' ? block.payload.role : null,
    reward: blockReward(block),
    is_error: isErrorResult(block),
    ...(thread !== undefined && { thread }),
    preview: previewOf(block),
  };
}

const PREVIEW_CHARACTERS = 120;

function previewOf(block: NewBlock): string {
  // A character has at most two code units.
  const beginning = contentText(contentField(block).value).slice(0, 2 * PREVIEW_CHARACTERS);
  if (!SURROGATE.test(beginning)) return beginning.slice(0, PREVIEW_CHARACTERS);
  return Array.from(beginning).slice(0, PREVIEW_CHARACTERS).join('').toWellFormed();
}

const SURROGATE = /[\ud800-\udfff]/;

/** Returns the field of a payload with the content of the block, which previews show and limits apply to. */
export function contentField({ sub_type, payload }: NewBlock): {
  readonly field: PayloadTooLarge['details']['field'];
  readonly value: unknown;
} {
  if (sub_type === 'MESSAGE') return { field: 'content', value: payload.content };
  if (sub_type === 'THINK') return { field: 'text', value: payload.text };
  if (sub_type === 'TOOL_CALL') return { field: 'arguments', value: payload.arguments };
  return hasDelta(payload) ? { field: 'delta', value: payload.delta } : { field: 'output', value: payload.output };
}

/**
 * Returns the text of a value: the blocks of an ORS tool output, the message of an error, the types of parts without
 * text, or else its JSON.
 */
export function contentText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isRecord(value) && Array.isArray(value.blocks)) return contentText(value.blocks);
  if (isRecord(value) && typeof value.error === 'string') return value.error;
  const parts: readonly unknown[] = Array.isArray(value) ? value : [];
  const texts = parts.flatMap((part) => textOfPart(part));
  if (texts.length > 0) return texts.join('\n');
  const kinds = parts.flatMap((part) => (isRecord(part) && typeof part.type === 'string' ? part.type : []));
  return kinds.length > 0 && kinds.length === parts.length ? `[${kinds.join(', ')}]` : stringifyJson(value);
}

/** Returns the text of a part; a text stored as a blob has a `preview`. */
function textOfPart(part: unknown): string[] {
  if (!isRecord(part)) return [];
  const text = part.type === 'text_ref' ? part.preview : part.text;
  return typeof text === 'string' ? [text] : [];
}

const TRACEBACK = 'Traceback (most recent call last)';
const MAX_MESSAGE = 200;

/**
 * Returns the message of a failed result on one line: of a Python traceback its last line, of other texts the first one.
 *
 * @param payload payload of a TOOL_RESULT.
 */
export function failureMessage(payload: unknown): string {
  const { output, delta } = fieldsOf(payload);
  const lines = stripControls(contentText(output ?? delta ?? ''))
    .split('\n')
    .filter((line) => line.trim() !== '');
  const start = lines.findIndex((line) => line.includes(TRACEBACK));
  // The lines of the calls are indented.
  const last = start < 0 ? undefined : lines.slice(start + 1).findLast((line) => !/^\s/.test(line));
  return truncate(oneLine(last ?? lines[0] ?? ''), MAX_MESSAGE).toWellFormed();
}

import { isRecord, previewJson } from '../core/index.ts';
import { type Block, type ImageBlock, type JSONObject, joinText } from '../protocol/index.ts';
import { OrsProtocolError } from './errors.ts';

/** What a tool gave, with the same fields from every server. Source: data types, "ToolOutput". */
export interface CallResult {
  /** All content, also of kinds that this version does not know. */
  readonly blocks: readonly Block[];
  /** The text blocks, joined by a line feed. */
  readonly text: string;
  readonly images: readonly ImageBlock[];
  /** Null if the tool gave none, which is not a reward of 0. */
  readonly reward: number | null;
  /** Whether the episode is over. */
  readonly finished: boolean;
  readonly metadata: JSONObject | null;
  /** Whether the call was sent again without it being known that it had not run; the tool may have run twice. */
  readonly repeated: boolean;
}

/** A result as it came: an output, or a reason for the agent. Source: data types, "RunToolOutput". */
export type ToolOutcome =
  | { readonly kind: 'output'; readonly output: Omit<CallResult, 'repeated'> }
  | { readonly kind: 'refusal'; readonly text: string };

/** Reads the JSON of a result. Fields may be absent or null. @throws OrsProtocolError that names the field. */
export function parseToolOutcome(value: unknown): ToolOutcome {
  if (!isRecord(value) || typeof value.ok !== 'boolean') throw invalid('ok', isRecord(value) ? value.ok : value);
  if (value.ok) return { kind: 'output', output: readOutput(value.output) };
  const { error = null } = value;
  return { kind: 'refusal', text: typeof error === 'string' ? error : JSON.stringify(error) };
}

function readOutput(output: unknown): Omit<CallResult, 'repeated'> {
  if (!isRecord(output)) throw invalid('output', output);
  const { reward = null, finished, metadata } = output;
  if (reward !== null && !(typeof reward === 'number' && Number.isFinite(reward)))
    throw invalid('output.reward', reward);
  const blocks = parseBlocks(output.blocks, 'output.blocks');
  return {
    blocks,
    text: joinText(blocks),
    images: blocks.filter((block) => block.type === 'image'),
    reward,
    finished: finished === true,
    metadata: isRecord(metadata) ? (metadata as JSONObject) : null,
  };
}

/** Reads content; `path` names it in errors. @throws OrsProtocolError */
export function parseBlocks(value: unknown, path: string): Block[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(path, value);
  return value.map((block: unknown, index) => {
    const at = `${path}[${index}]`;
    if (!isRecord(block) || typeof block.type !== 'string') throw invalid(at, block);
    if (block.type === 'text' && typeof block.text !== 'string') throw invalid(`${at}.text`, block.text);
    if (block.type === 'image' && typeof block.data !== 'string') throw invalid(`${at}.data`, block.data);
    if (block.type === 'image' && typeof block.mimeType !== 'string') throw invalid(`${at}.mimeType`, block.mimeType);
    // Checked above, as far as a block of this kind has fields that everybody reads.
    return block as Block;
  });
}

function invalid(path: string, value: unknown): OrsProtocolError {
  // Parsed from text such as 1e999.
  const isTooLarge = typeof value === 'number' && !Number.isFinite(value);
  const shown = isTooLarge ? 'a number too large to keep' : value === undefined ? 'missing' : previewJson(value);
  return new OrsProtocolError(`the server's ${path} is ${shown}, which the standard does not allow`);
}

import type { BlockId, BlockInput, ScoreInput, TraceId, TraceInput } from '../../../generated/trace.ts';
import { type Invalid, validators } from '../../../generated/trace-validators.ts';
import { isRecord, JsonSyntaxError, ownProperty, parseJson } from '../../core/index.ts';
import { newTraceId, parseArguments, sentMetadata, validateBlock, withWritableArguments } from '../model/index.ts';

/** A trace of a file, or a problem. */
export type ImportItem = ImportedTrace | ImportProblem;

/** A trace that can be written. Each block is valid by itself; the store checks sizes and links. */
export interface ImportedTrace {
  /** First line, from 1. */
  readonly line: number;
  readonly trace: TraceInput & { readonly id: TraceId };
  readonly blocks: readonly BlockInput[];
  /** Line of each block, if the format has one line per block. */
  readonly lines?: readonly number[];
  readonly scores?: readonly ScoreInput[];
  readonly reason?: never;
}

/** A line, block or trace that could not be read. */
interface ImportProblem {
  /** From 1. */
  readonly line: number;
  /** Null if unknown. */
  readonly trace_id: TraceId | null;
  /** Id of an unreadable block, if known. */
  readonly block_id?: BlockId;
  readonly reason: string;
  readonly trace?: never;
  readonly blocks?: never;
}

/** Converts the lines of one format to traces. */
export interface LineImporter {
  /** Reads a line that is a JSON object. @param size length of the line. */
  readonly readLine: (line: number, value: Readonly<Record<string, unknown>>, size: number) => Iterable<ImportItem>;
  /** Reports a line that is not a JSON object. @default reports it without a trace */
  readonly skipLine?: (line: number, reason: string) => Iterable<ImportItem>;
  /** Called after the last line. */
  readonly finish?: () => Iterable<ImportItem>;
}

/** A valid value, or the reason why it is invalid. */
export type Checked<T> =
  | { readonly value: T; readonly reason?: never }
  | { readonly reason: string; readonly value?: never };

/** Maximum sizes in memory of an import. */
export interface ImportLimits {
  /** Size of a line in bytes, or in UTF-16 units for text input. */
  readonly lineBytes: number;
  /** Size of all lines of a trace. */
  readonly traceBytes: number;
}

const MB = 1024 * 1024;

export const IMPORT_LIMITS: ImportLimits = { lineBytes: 64 * MB, traceBytes: 512 * MB };

/** Fields that the store computes and clients cannot write. */
const COMPUTED_TRACE_FIELDS = new Set([
  'task_key',
  'reward_sum',
  'reward_last',
  'reward_max',
  'reward_count',
  'block_count',
  'bytes',
  'error_count',
  'created_at',
  'finished_at',
  'updated_at',
  'warnings',
]);
const COMPUTED_BLOCK_FIELDS = new Set(['trace_id', 'block_type', 'created_at', 'updated_at']);

/**
 * Converts an exported trace to one that can be written, without computed fields. The original times go to
 * `metadata.imported`, unless the trace was imported before. A trace without an id gets a new one.
 */
export function storedToTraceInput(stored: unknown): Checked<ImportedTrace['trace']> {
  if (!isRecord(stored)) return { reason: 'the trace must be an object' };
  const { created_at, finished_at } = stored;
  const metadata = isRecord(stored.metadata) ? stored.metadata : {};
  const trace = {
    id: newTraceId(),
    ...without(stored, COMPUTED_TRACE_FIELDS),
    ...(typeof created_at === 'string' && metadata.imported === undefined
      ? { metadata: { ...metadata, imported: { created_at, finished_at: finished_at ?? null } } }
      : {}),
  };
  if (validators.TraceInput(trace)) return { value: { ...trace, id: trace.id } };
  return { reason: `the trace is not valid: ${(validators.TraceInput.errors ?? []).map(sentenceOf).join('; ')}` };
}

/** Converts an exported block to one that can be written. */
export function toBlockInput(stored: unknown, traceId: TraceId): Checked<BlockInput> {
  if (!isRecord(stored)) return { reason: 'the block must be an object' };
  const { trace_id = traceId } = stored;
  if (trace_id !== traceId) return { reason: `the block belongs to another trace than ${traceId}` };
  const { metadata, ...block } = without(stored, COMPUTED_BLOCK_FIELDS);
  const sent = sentMetadata(metadata);
  return checkImportedBlock(toWritable(sent === undefined ? block : { ...block, metadata: sent }), traceId);
}

/** Exported arguments are parsed: a text among them, unless it is the JSON of an object or list, is a value. */
function toWritable(block: Readonly<Record<string, unknown>>): unknown {
  const args = ownProperty(block.payload, 'arguments');
  const isText = typeof args === 'string' && /^\s*[[{]/.test(args) && !parseArguments(args).issue;
  return isText ? block : withWritableArguments(block);
}

const without = (record: Readonly<Record<string, unknown>>, fields: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([field]) => !fields.has(field)));

function sentenceOf({ instancePath, message = 'is not valid', params }: Invalid): string {
  const { additionalProperty: field } = params;
  return typeof field === 'string' ? `it has an unknown field ${field}` : `${instancePath || 'it'} ${message}`;
}

/** Validates a block by itself. */
export function checkImportedBlock(block: unknown, traceId: TraceId): Checked<BlockInput> {
  const reasons: string[] = [];
  validateBlock(block, traceId, (path, _rule, expected, got) => {
    reasons.push(`${path || 'the block'} must be ${expected}, not ${got}`);
  });
  const [reason] = reasons;
  // validateBlock() has checked the shape.
  return reason === undefined ? { value: block as BlockInput } : { reason };
}

/** A request can have 512 levels; an export adds a few around a block. */
const MAX_DEPTH = 520;

/** Parses a line that must be a JSON object. Rejects too many levels. */
export function parseLine(text: string): Checked<Readonly<Record<string, unknown>>> {
  try {
    const { value } = parseJson(text, { depth: MAX_DEPTH, structures: Infinity, exactNumbers: true });
    return isRecord(value) ? { value } : { reason: 'the line is JSON, but not an object' };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (error.reason === 'depth') return { reason: `the line has more than ${MAX_DEPTH} levels` };
    return { reason: 'the line is not JSON' };
  }
}

import type { BlockId, BlockInput, SubType, TraceId, ValidationIssue } from '../../../generated/trace.ts';
import { groupBy, isRecord, pointerSegment } from '../../core/index.ts';
import {
  CHANGED_NUMBER,
  canonicalContent,
  createIssue,
  describeValueKind,
  type NewBlock,
  type ReportIssue,
  toNewBlock,
  validateBlock,
  withParsedArguments,
} from './block-rules.ts';
import { blockIdConflict, fieldTooLarge, type TraceErrorBody, validationError } from './failures.ts';
import { isBlockId } from './ids.ts';
import { bytesOver, type TraceLimits } from './limits.ts';
import { type BlockIndex, createPendingBlocks, findLinkError, type PlacedBlock, toCallKey } from './link-rules.ts';
import { contentField } from './outline.ts';

/** Rules and stored blocks that a request is validated with. */
interface CheckRequestContext {
  readonly traceId: TraceId;
  readonly limits: TraceLimits;
  readonly known: BlockIndex;
  /** JSON pointers into the body of numbers that lost precision when parsed. @default [] */
  readonly changedNumbers?: readonly string[];
}

/** Decision for one block: write it, or confirm the stored block with the same id and content. */
export type BlockCheckResult =
  | { readonly kind: 'new'; readonly block: NewBlock; readonly callKey: string | null }
  | { readonly kind: 'replay'; readonly id: BlockId };

/** The blocks of a request in order, or the error of the first stage that rejects it. */
type RequestCheckResult =
  | { readonly isBatch: boolean; readonly outcomes: readonly BlockCheckResult[]; readonly failure?: never }
  | { readonly failure: TraceErrorBody; readonly outcomes?: never };

/**
 * Validates the parsed body of an append request against the rules of the trace data model. Each stage checks all
 * blocks before the next one starts: duplicate ids (V16), shape (V1 to V10), sizes, parent (V11), sub type of the
 * parent (V12), call_id (V13), uniqueness (V14, V15). Only arguments given as JSON text are changed: they are parsed.
 *
 * @param body parsed JSON with at most 512 levels.
 */
export function checkAppendRequest(body: unknown, context: CheckRequestContext): RequestCheckResult {
  const { traceId, limits, known, changedNumbers = [] } = context;
  const parsed = parseRequest(body, changedNumbers);
  if (parsed.issues) return { failure: validationError(parsed.issues) };
  const { blocks, isBatch } = parsed;
  const { replays, conflict } = findReplays(blocks, traceId, known);
  if (conflict !== undefined) return { failure: blockIdConflict(conflict.block.index, conflict.id) };
  const issues = blocks.flatMap((block) => (replays.has(block) ? [] : issuesOf(block, traceId)));
  if (issues.length > 0) return { failure: validationError(issues) };
  const steps = blocks.map((block): CheckStep => {
    const replay = replays.get(block);
    if (replay) return replay;
    // validateBlock() has checked the shape.
    return { kind: 'new', index: block.index, block: toNewBlock(block.input as BlockInput, traceId) };
  });
  const fresh = steps.filter((step) => step.kind === 'new');
  const failure = findOversizedField(fresh, limits) ?? findLinkError(fresh, known);
  return failure ? { failure } : { isBatch, outcomes: outcomesOf(steps, known) };
}

type ReplayedBlock = Extract<BlockCheckResult, { kind: 'replay' }>;
type CheckStep = ReplayedBlock | ({ readonly kind: 'new' } & PlacedBlock);

/** V16: finds blocks whose id already belongs to a block with the same content, in the store or earlier in the batch. */
function findReplays(
  blocks: readonly RequestBlock[],
  traceId: TraceId,
  known: BlockIndex,
): { replays: ReadonlyMap<RequestBlock, ReplayedBlock>; conflict?: { block: RequestBlock; id: BlockId } } {
  const replays = new Map<RequestBlock, ReplayedBlock>();
  const earlier = new Map<BlockId, RequestBlock>();
  for (const block of blocks) {
    const id = idOf(block.input);
    if (id === undefined) continue;
    const sibling = earlier.get(id);
    const stored = known.block(id);
    if (!stored && !sibling) {
      earlier.set(id, block);
      continue;
    }
    const content = stored ? known.content(id) : canonicalContent(sibling?.input, traceId);
    const isSame = content === canonicalContent(block.input, traceId) && block.changedNumbers.length === 0;
    if (!isSame || (stored && stored.trace_id !== traceId)) return { replays, conflict: { block, id } };
    replays.set(block, { kind: 'replay', id });
  }
  return { replays };
}

function idOf(input: unknown): BlockId | undefined {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined;
  return isBlockId(id) ? id : undefined;
}

function issuesOf({ index, input, changedNumbers }: RequestBlock, traceId: TraceId): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const report: ReportIssue = (...issue) => issues.push(createIssue(index, issue));
  validateBlock(input, traceId, report);
  const { rule, expected, got } = CHANGED_NUMBER;
  for (const pointer of changedNumbers) report(pointer, rule, expected, got);
  return issues;
}

function outcomesOf(steps: readonly CheckStep[], stored: BlockIndex): BlockCheckResult[] {
  const known = createPendingBlocks(stored);
  return steps.map((step) => {
    if (step.kind === 'replay') return step;
    known.add(step.block);
    return { kind: 'new', block: step.block, callKey: toCallKey(step.block, known) };
  });
}

/** Maximum number of blocks in one append request. */
export const MAX_BATCH_BLOCKS = 1000;

/** An unvalidated block with its arguments parsed. */
interface RequestBlock {
  /** Position in the batch; undefined if the body is a single block. */
  readonly index: number | undefined;
  readonly input: unknown;
  /** JSON pointers into the block of numbers that lost precision when parsed. */
  readonly changedNumbers: readonly string[];
}

/** The blocks of a body, which is one block or `{blocks: [...]}`; or the problems of the body itself. */
type ParsedRequest =
  | { readonly isBatch: boolean; readonly blocks: readonly RequestBlock[]; readonly issues?: never }
  | { readonly issues: readonly ValidationIssue[]; readonly blocks?: never };

/** Splits a body into its blocks. @param changedNumbers JSON pointers into the body. */
function parseRequest(body: unknown, changedNumbers: readonly string[]): ParsedRequest {
  if (!isRecord(body)) return { issues: [createIssue(undefined, ['', 'type', 'an object', describeValueKind(body)])] };
  if (!Object.hasOwn(body, 'blocks')) {
    return { isBatch: false, blocks: [{ index: undefined, input: withParsedArguments(body), changedNumbers }] };
  }
  const { blocks, ...others } = body;
  const issues = Object.keys(others).map((field) =>
    createIssue(undefined, [
      pointerSegment(field),
      'unknown_field',
      'left out of a batch',
      describeValueKind(others[field]),
    ]),
  );
  if (!Array.isArray(blocks)) {
    issues.push(createIssue(undefined, ['/blocks', 'type', 'a list of blocks', describeValueKind(blocks)]));
  } else if (blocks.length < 1 || blocks.length > MAX_BATCH_BLOCKS) {
    const expected = `a list of 1 to ${MAX_BATCH_BLOCKS} blocks`;
    issues.push(createIssue(undefined, ['/blocks', 'batch_size', expected, `${blocks.length} blocks`]));
  } else if (issues.length === 0) {
    return { isBatch: true, blocks: toRequestBlocks(blocks, changedNumbers) };
  }
  return { issues };
}

function toRequestBlocks(blocks: readonly unknown[], changedNumbers: readonly string[]): RequestBlock[] {
  const changes = groupBy(changedNumbers, (pointer) => Number(/^\/blocks\/(\d+)/.exec(pointer)?.[1]));
  return blocks.map((block, index) => ({
    index,
    input: withParsedArguments(block),
    changedNumbers: (changes.get(index) ?? []).map((pointer) => pointer.slice(`/blocks/${index}`.length)),
  }));
}

const LIMITS = {
  MESSAGE: 'message',
  THINK: 'think',
  TOOL_CALL: 'toolArguments',
  TOOL_RESULT: 'toolResult',
} as const satisfies Record<SubType, keyof TraceLimits>;

/** Returns the error for the first block with a field above its limit. */
function findOversizedField(blocks: readonly PlacedBlock[], limits: TraceLimits): TraceErrorBody | undefined {
  for (const { index, block } of blocks) {
    const { sub_type, trace_id, parent_block_id } = block;
    const { field, value } = contentField(block);
    const limit_bytes = limits[LIMITS[sub_type]];
    const actual_bytes = bytesOver(limit_bytes, value);
    if (actual_bytes === undefined) continue;
    return fieldTooLarge(index, { sub_type, field, limit_bytes, actual_bytes, trace_id, parent_block_id });
  }
  return undefined;
}

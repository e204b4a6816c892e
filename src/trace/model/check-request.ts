import type { BlockId, BlockInput, SubType, TraceId, ValidationIssue } from '../../../generated/trace.ts';
import { formatCount, hasToJson, isRecord, pointerSegment } from '../../core/index.ts';
import {
  canonicalContent,
  createIssue,
  describeValueKind,
  type NewBlock,
  type ReportIssue,
  toNewBlock,
  validateBlock,
  withParsedArguments,
} from './block-rules.ts';
import { blockIdConflict, fieldTooLarge, type TraceErrorBody, TraceStoreError, validationError } from './failures.ts';
import { isBlockId } from './ids.ts';
import { bytesOver, type TraceLimits } from './limits.ts';
import { type BlockIndex, createPendingBlocks, findLinkError, type PlacedBlock, toCallKey } from './link-rules.ts';
import { contentField } from './outline.ts';

/** Rules and stored blocks that a request is validated with. */
interface CheckRequestContext {
  readonly traceId: TraceId;
  readonly limits: TraceLimits;
  readonly known: BlockIndex;
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
 * @param body parsed JSON that `assertDepth` accepts.
 */
export function checkAppendRequest(body: unknown, context: CheckRequestContext): RequestCheckResult {
  const { traceId, limits, known } = context;
  const parsed = parseRequest(body);
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

/** Maximum number of levels of a body: as many as SQLite reads, and more than any request (512) or import (520) has. */
const MAX_DEPTH = 1000;

/**
 * Checks the depth of a body. Comes before everything else that reads the body, which may call itself for each level.
 *
 * @throws TraceStoreError VALIDATION for a body that is nested too deeply.
 */
export function assertDepth(body: unknown): void {
  if (!isDeeperThan(body, MAX_DEPTH)) return;
  const issue = createIssue(undefined, [
    '',
    'depth',
    `JSON with at most ${formatCount(MAX_DEPTH)} levels`,
    'deeper JSON',
  ]);
  throw new TraceStoreError(validationError([issue]));
}

/** Returns true if a JSON value has more than `levels` levels of arrays and objects. Accepts circular values. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null || hasToJson(value)) return false;
  if (levels === 0) return true;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return items.some((item) => isDeeperThan(item, levels - 1));
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
    const isSame = content === canonicalContent(block.input, traceId);
    if (!isSame || (stored && stored.trace_id !== traceId)) return { replays, conflict: { block, id } };
    replays.set(block, { kind: 'replay', id });
  }
  return { replays };
}

function idOf(input: unknown): BlockId | undefined {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined;
  return isBlockId(id) ? id : undefined;
}

function issuesOf({ index, sent }: RequestBlock, traceId: TraceId): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const report: ReportIssue = (...issue) => issues.push(createIssue(index, issue));
  validateBlock(sent, traceId, report);
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

/** An unvalidated block. */
interface RequestBlock {
  /** Position in the batch; undefined if the body is a single block. */
  readonly index: number | undefined;
  readonly sent: unknown;
  /** The block with its arguments parsed. */
  readonly input: unknown;
}

const toRequestBlock = (sent: unknown, index?: number): RequestBlock => ({
  index,
  sent,
  input: withParsedArguments(sent),
});

/** The blocks of a body, which is one block or `{blocks: [...]}`; or the problems of the body itself. */
type ParsedRequest =
  | { readonly isBatch: boolean; readonly blocks: readonly RequestBlock[]; readonly issues?: never }
  | { readonly issues: readonly ValidationIssue[]; readonly blocks?: never };

/** Splits a body into its blocks. */
function parseRequest(body: unknown): ParsedRequest {
  if (!isRecord(body)) return { issues: [createIssue(undefined, ['', 'type', 'an object', describeValueKind(body)])] };
  if (!Object.hasOwn(body, 'blocks')) {
    return { isBatch: false, blocks: [toRequestBlock(body)] };
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
    return { isBatch: true, blocks: blocks.map((block, index) => toRequestBlock(block, index)) };
  }
  return { issues };
}

const LIMITS = {
  MESSAGE: 'message',
  THINK: 'think',
  TOOL_CALL: 'toolArguments',
  TOOL_RESULT: 'toolResult',
} as const satisfies Record<SubType, keyof TraceLimits>;

/** Returns the error for the first block with a field above its limit. */
export function findOversizedField(blocks: readonly PlacedBlock[], limits: TraceLimits): TraceErrorBody | undefined {
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

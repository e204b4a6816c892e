import type { BlockId, BlockInput, TraceId, ValidationIssue } from '../../../generated/trace.ts';
import { validateBlock } from './block-rules.ts';
import { blockIdConflict, type TraceErrorBody, validationError } from './failures.ts';
import { BLOCK_ID, newBlockId } from './ids.ts';
import { createIssue, type ReportIssue } from './issues.ts';
import { type BlockIndex, createPendingBlocks, toCallKey } from './known-blocks.ts';
import type { TraceLimits } from './limits.ts';
import { findLinkError, type PlacedBlock } from './link-rules.ts';
import { canonicalContent, type NewBlock, toNewBlock } from './new-block.ts';
import { parseRequest, type RequestBlock } from './open-request.ts';
import { findOversizedField } from './size-rules.ts';

/** What a request is held against. */
export interface CheckRequestContext {
  readonly traceId: TraceId;
  readonly limits: TraceLimits;
  readonly known: BlockIndex;
  /** JSON pointers into the body, of numbers that its parser has changed; none by default. */
  readonly changedNumbers?: readonly string[];
  /** Ids for blocks that bring none; by default `newBlockId`. */
  readonly newId?: () => BlockId;
}

/** What becomes of one block: it is written, or it stands there already with the same content. */
export type BlockCheckResult =
  | { readonly kind: 'new'; readonly block: NewBlock; readonly callKey: string | null }
  | { readonly kind: 'replay'; readonly id: BlockId };

/** All blocks of a request in their order, or the first stage that refuses it. */
export type RequestCheckResult =
  | { readonly isBatch: boolean; readonly outcomes: readonly BlockCheckResult[]; readonly failure?: never }
  | { readonly failure: TraceErrorBody; readonly outcomes?: never };

/**
 * Holds the parsed body of a request to write blocks against the rules of the trace data model. The stages answer in
 * this order, each for all blocks: ids that are taken (V16), shape (V1 to V10), sizes, parent (V11), kind of the parent
 * (V12), call_id (V13), duplicates (V14, V15). Nothing is changed but arguments that are JSON text.
 *
 * @param body what a parser made of JSON text that nests no deeper than 512 levels.
 */
export function checkAppendRequest(body: unknown, context: CheckRequestContext): RequestCheckResult {
  const { traceId, limits, known, changedNumbers = [], newId = newBlockId } = context;
  const opened = parseRequest(body, changedNumbers);
  if (opened.issues) return { failure: validationError(opened.issues) };
  const { blocks: written, isBatch } = opened;
  const { replays, conflict } = findReplays(written, traceId, known);
  if (conflict !== undefined) return { failure: blockIdConflict(conflict.place, conflict.id) };
  const issues = written.flatMap((block) => (replays.has(block) ? [] : issuesOf(block, traceId)));
  if (issues.length > 0) return { failure: validationError(issues) };
  const steps = written.map((block): CheckStep => {
    // The shape of each has been checked just now.
    const placed = () => ({ index: block.index, block: toNewBlock(block.input as BlockInput, traceId, newId) });
    return replays.get(block) ?? { kind: 'new', ...placed() };
  });
  const fresh = steps.filter((step) => step.kind === 'new');
  const failure = findOversizedField(fresh, limits) ?? findLinkError(fresh, known);
  return failure ? { failure } : { isBatch, outcomes: outcomesOf(steps, known) };
}

type ReplayedBlock = Extract<BlockCheckResult, { kind: 'replay' }>;
type CheckStep = ReplayedBlock | ({ readonly kind: 'new' } & PlacedBlock);

/** V16: blocks whose id is taken, in the store or earlier in the batch, by a block of the same content. */
function findReplays(
  blocks: readonly RequestBlock[],
  traceId: TraceId,
  known: BlockIndex,
): { replays: ReadonlyMap<RequestBlock, ReplayedBlock>; conflict?: { place: RequestBlock; id: BlockId } } {
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
    if (!isSame || (stored && stored.trace_id !== traceId)) return { replays, conflict: { place: block, id } };
    replays.set(block, { kind: 'replay', id });
  }
  return { replays };
}

function idOf(input: unknown): BlockId | undefined {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined;
  return typeof id === 'string' && BLOCK_ID.test(id) ? id : undefined;
}

function issuesOf({ index, input, changedNumbers }: RequestBlock, traceId: TraceId): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const report: ReportIssue = (...issue) => issues.push(createIssue(index, issue));
  validateBlock(input, traceId, report);
  for (const pointer of changedNumbers) {
    report(
      pointer,
      'number_not_preserved',
      'a number that a double keeps; send others as text',
      'a number that it changes',
    );
  }
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

import type { BlockId, BlockInput, TraceId, ValidationIssue } from '../../../generated/trace.ts';
import { checkBlock } from './block-rules.ts';
import { blockIdConflict, type Failure, validationFailure } from './failures.ts';
import { BLOCK_ID, newBlockId } from './ids.ts';
import { issueOf, type Report } from './issues.ts';
import { callKeyOf, createNotebook, type KnownBlocks } from './known-blocks.ts';
import type { Limits } from './limits.ts';
import { checkLinks, type PlacedBlock } from './link-rules.ts';
import { contentOf, type NewBlock, toNewBlock } from './new-block.ts';
import { openRequest, type WrittenBlock } from './open-request.ts';
import { checkSizes } from './size-rules.ts';

/** What a request is held against. */
export interface RequestContext {
  readonly traceId: TraceId;
  readonly limits: Limits;
  readonly known: KnownBlocks;
  /** JSON pointers into the body, of numbers that its parser has changed; none by default. */
  readonly changedNumbers?: readonly string[];
  /** Ids for blocks that bring none; by default `newBlockId`. */
  readonly newId?: () => BlockId;
}

/** What becomes of one block: it is written, or it stands there already with the same content. */
export type Outcome =
  | { readonly kind: 'new'; readonly block: NewBlock; readonly callKey: string | null }
  | { readonly kind: 'replay'; readonly id: BlockId };

/** All blocks of a request in their order, or the first stage that refuses it. */
export type Verdict =
  | { readonly isBatch: boolean; readonly outcomes: readonly Outcome[]; readonly failure?: never }
  | { readonly failure: Failure; readonly outcomes?: never };

/**
 * Holds the parsed body of a request to write blocks against the rules of the trace data model. The stages answer in
 * this order, each for all blocks: ids that are taken (V16), shape (V1 to V10), sizes, parent (V11), kind of the parent
 * (V12), call_id (V13), duplicates (V14, V15). Nothing is changed but arguments that are JSON text.
 *
 * @param body what a parser made of JSON text that nests no deeper than 512 levels.
 */
export function checkRequest(body: unknown, context: RequestContext): Verdict {
  const { traceId, limits, known, changedNumbers = [], newId = newBlockId } = context;
  const opened = openRequest(body, changedNumbers);
  if (opened.issues) return { failure: validationFailure(opened.issues) };
  const { blocks: written, isBatch } = opened;
  const { replays, conflict } = findReplays(written, traceId, known);
  if (conflict !== undefined) return { failure: blockIdConflict(conflict.place, conflict.id) };
  const issues = written.flatMap((block) => (replays.has(block) ? [] : issuesOf(block, traceId)));
  if (issues.length > 0) return { failure: validationFailure(issues) };
  const steps = written.map((block): Step => {
    // The shape of each has been checked just now.
    const placed = () => ({ index: block.index, block: toNewBlock(block.input as BlockInput, traceId, newId) });
    return replays.get(block) ?? { kind: 'new', ...placed() };
  });
  const fresh = steps.filter((step) => step.kind === 'new');
  const failure = checkSizes(fresh, limits) ?? checkLinks(fresh, known);
  return failure ? { failure } : { isBatch, outcomes: outcomesOf(steps, known) };
}

type Replay = Extract<Outcome, { kind: 'replay' }>;
type Step = Replay | ({ readonly kind: 'new' } & PlacedBlock);

/** V16: blocks whose id is taken, in the store or earlier in the batch, by a block of the same content. */
function findReplays(
  blocks: readonly WrittenBlock[],
  traceId: TraceId,
  known: KnownBlocks,
): { replays: ReadonlyMap<WrittenBlock, Replay>; conflict?: { place: WrittenBlock; id: BlockId } } {
  const replays = new Map<WrittenBlock, Replay>();
  const earlier = new Map<BlockId, WrittenBlock>();
  for (const block of blocks) {
    const id = idOf(block.input);
    if (id === undefined) continue;
    const sibling = earlier.get(id);
    const stored = known.block(id);
    if (!stored && !sibling) {
      earlier.set(id, block);
      continue;
    }
    const content = stored ? known.content(id) : contentOf(sibling?.input, traceId);
    const isSame = content === contentOf(block.input, traceId) && block.changedNumbers.length === 0;
    if (!isSame || (stored && stored.trace_id !== traceId)) return { replays, conflict: { place: block, id } };
    replays.set(block, { kind: 'replay', id });
  }
  return { replays };
}

function idOf(input: unknown): BlockId | undefined {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : undefined;
  return typeof id === 'string' && BLOCK_ID.test(id) ? id : undefined;
}

function issuesOf({ index, input, changedNumbers }: WrittenBlock, traceId: TraceId): ValidationIssue[] {
  const issues: ValidationIssue[] = [];
  const report: Report = (...issue) => issues.push(issueOf(index, issue));
  checkBlock(input, traceId, report);
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

function outcomesOf(steps: readonly Step[], stored: KnownBlocks): Outcome[] {
  const known = createNotebook(stored);
  return steps.map((step) => {
    if (step.kind === 'replay') return step;
    known.add(step.block);
    return { kind: 'new', block: step.block, callKey: callKeyOf(step.block, known) };
  });
}

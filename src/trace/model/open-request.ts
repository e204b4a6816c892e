import type { ValidationIssue } from '../../../generated/trace.ts';
import { isRecord, pointerSegment } from '../../core/index.ts';
import { createIssue, describeValueKind } from './issues.ts';
import { withParsedArguments } from './new-block.ts';

/** The most blocks that one request may write. */
export const MAX_BATCH_BLOCKS = 1000;

/** A block as it was written, with its arguments parsed; `index` is its place in a batch. */
export interface RequestBlock {
  readonly index: number | undefined;
  readonly input: unknown;
  /** JSON pointers into it, of numbers that parsing has changed. */
  readonly changedNumbers: readonly string[];
}

/** The blocks of a body: one object, or `{blocks: [...]}`; or what is wrong with it as a whole. */
export type ParsedRequest =
  | { readonly isBatch: boolean; readonly blocks: readonly RequestBlock[]; readonly issues?: never }
  | { readonly issues: readonly ValidationIssue[]; readonly blocks?: never };

/** @param changedNumbers JSON pointers into the body. */
export function parseRequest(body: unknown, changedNumbers: readonly string[]): ParsedRequest {
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
    return { isBatch: true, blocks: place(blocks, changedNumbers) };
  }
  return { issues };
}

function place(blocks: readonly unknown[], changedNumbers: readonly string[]): RequestBlock[] {
  const changes = new Map<number, string[]>();
  for (const pointer of changedNumbers) {
    const [, index, within = ''] = pointer.match(/^\/blocks\/(\d+)(.*)$/s) ?? [];
    const found = changes.get(Number(index));
    if (found) found.push(within);
    else changes.set(Number(index), [within]);
  }
  return blocks.map((block, index) => ({
    index,
    input: withParsedArguments(block),
    changedNumbers: changes.get(index) ?? [],
  }));
}

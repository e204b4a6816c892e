import type { JSONValue, ToolResultBlock } from '../../../generated/trace.ts';
import { tryParseJson } from '../../core/index.ts';
import { isDelta, sortResults } from './assemble.ts';
import { isSeq } from './payload-rules.ts';

/** A stretch of what a call gave: text, list items, or values of `seq` that never came, both ends included. */
export type ResultPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'items'; readonly items: readonly JSONValue[] }
  | { readonly kind: 'gap'; readonly from: number; readonly to: number };

/** What a call gave as a whole, or as far as it has come. */
export type JoinedResult =
  | { readonly kind: 'output'; readonly value: JSONValue; readonly replaced: number }
  | { readonly kind: 'pieces'; readonly pieces: readonly ResultPiece[] };

type ResultPayload = ToolResultBlock['payload'];

/** Joins the results of one call, in any order: the last output if there is one, else the deltas. */
export function joinResults(results: readonly ToolResultBlock[]): JoinedResult {
  const { payloads, output } = sortResults(results);
  if (output) return { kind: 'output', value: output.output ?? null, replaced: payloads.length - 1 };
  const pieces = joinDeltas(payloads);
  const value = wholeJson(payloads, pieces);
  return value === undefined ? { kind: 'pieces', pieces } : { kind: 'output', value, replaced: 0 };
}

function joinDeltas(payloads: readonly ResultPayload[]): ResultPiece[] {
  const pieces: ResultPiece[] = [];
  let next = 0;
  for (const { seq, delta } of payloads) {
    if (isSeq(seq)) {
      if (seq > next) pieces.push({ kind: 'gap', from: next, to: seq - 1 });
      next = seq + 1;
    }
    if (isDelta(delta)) add(pieces, delta);
  }
  return pieces;
}

function add(pieces: ResultPiece[], delta: string | readonly JSONValue[]): void {
  const last = pieces.at(-1);
  if (typeof delta === 'string') {
    if (last?.kind === 'text') pieces[pieces.length - 1] = { kind: 'text', text: last.text + delta };
    else pieces.push({ kind: 'text', text: delta });
  } else if (last?.kind === 'items') pieces[pieces.length - 1] = { kind: 'items', items: last.items.concat(delta) };
  else pieces.push({ kind: 'items', items: delta });
}

/** The value of JSON that was too large for one block, once all of its pieces are there. */
function wholeJson(payloads: readonly ResultPayload[], pieces: readonly ResultPiece[]): JSONValue | undefined {
  const [piece, ...others] = pieces;
  const isWhole = payloads.every(
    ({ parts, media_type }) => parts === payloads.length && media_type === 'application/json',
  );
  if (!isWhole || piece?.kind !== 'text' || others.length > 0) return undefined;
  return tryParseJson(piece.text) as JSONValue | undefined;
}

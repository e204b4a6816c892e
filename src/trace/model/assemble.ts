import type { AssembledResult, JSONValue, ToolResultBlock } from '../../../generated/trace.ts';
import { compareBlocks } from './order.ts';
import { isSeq } from './payload-rules.ts';

/** A client may write any seq, and one large one must not make a list of all below it. */
const MAX_GAPS = 1000;

/**
 * Joins the results of one call, given in any order: the last output if there is one, else the deltas, else null. Texts
 * are joined, lists are concatenated; where a call has both kinds the value is the list of its deltas. The first
 * thousand gaps are listed; `more_gaps` counts the others. Source: trace data model, output, delta and seq.
 */
export function assemble(results: readonly ToolResultBlock[]): AssembledResult {
  const { payloads, output } = sortResults(results);
  const gaps = gapsOf(results);
  if (output) return { state: 'complete', value: output.output ?? null, ...gaps };
  if (payloads.length === 0) return { state: 'pending', value: null, ...gaps };
  return { state: 'partial', value: join(payloads.map(({ delta }) => delta).filter(isDelta)), ...gaps };
}

/** What the results of one call hold, in their order, and the last of them that is no delta. */
export function sortResults(results: readonly ToolResultBlock[]) {
  const payloads = [...results].sort(compareBlocks).map(({ payload }) => payload);
  return { payloads, output: payloads.findLast(({ delta }) => !isDelta(delta)) };
}

type Delta = string | JSONValue[];

export const isDelta = (delta: unknown): delta is Delta => typeof delta === 'string' || Array.isArray(delta);

function join(deltas: readonly Delta[]): JSONValue {
  if (deltas.every((delta) => typeof delta === 'string')) return deltas.join('');
  return deltas.every(Array.isArray) ? deltas.flat(1) : [...deltas];
}

/** Values below the highest seq of a delta that no result has: an output may have one too. */
function gapsOf(results: readonly ToolResultBlock[]): Pick<AssembledResult, 'gaps' | 'more_gaps'> {
  const seqs = results.map(({ payload }) => payload.seq).filter(isSeq);
  const taken = [...new Set(seqs)].sort((one, other) => one - other);
  const deltas = results.filter(({ payload }) => isDelta(payload.delta));
  const highest = deltas.reduce((max, { payload }) => Math.max(max, payload.seq ?? -1), -1);
  const gaps: number[] = [];
  let next = 0;
  let missing = 0;
  for (const seq of taken) {
    if (seq > highest) break;
    missing += seq - next;
    for (; next < seq && gaps.length < MAX_GAPS; next++) gaps.push(next);
    next = seq + 1;
  }
  return missing > gaps.length ? { gaps, more_gaps: missing - gaps.length } : { gaps };
}

import type { JSONObject, JSONValue, Timestamp, ToolCallBlock, ToolResultBlock } from '../../../generated/trace.ts';
import { assemble, isDelta, isError, type TraceReader } from '../model/index.ts';
import { type Conversation, resultsOf } from './conversation.ts';

/** A call and what became of it. */
export interface Call {
  readonly ord: number;
  readonly block: ToolCallBlock;
  /** Undefined where there is no result yet. */
  readonly answer: Answer | undefined;
}

/** The results of a call, assembled; of each no more is kept than formats show. */
export interface Answer {
  readonly value: JSONValue;
  readonly isFailed: boolean;
  /** Of all results that have one. */
  readonly extras: readonly JSONObject[];
  /** When the first and the last of them were written. */
  readonly times: readonly [Timestamp, Timestamp];
}

/** Calls with their results; those of one are in memory at a time. */
export async function* readCalls({ trace }: Conversation, calls: Iterable<number>): AsyncGenerator<Call> {
  for await (const { ord, block } of trace.read(calls)) {
    yield { ord, block: block as ToolCallBlock, answer: await readAnswer(trace, ord) };
  }
}

async function readAnswer(trace: TraceReader, call: number): Promise<Answer | undefined> {
  // The last output counts; pieces count where there is none.
  let counting: ToolResultBlock[] = [];
  let hasOutput = false;
  let isFailed = false;
  const extras: JSONObject[] = [];
  let times: Answer['times'] | undefined;
  for await (const { block } of trace.read(resultsOf(trace.layout, call))) {
    const result = block as ToolResultBlock;
    const isOutput = !isDelta(result.payload.delta);
    if (isOutput) counting = [result];
    else if (!hasOutput) counting.push({ ...result, raw: null });
    hasOutput ||= isOutput;
    isFailed ||= isError(result);
    if (result.extra !== null) extras.push(result.extra);
    const [earliest, ...later] = [result.created_at, ...(times ?? [])].sort();
    times = [earliest ?? result.created_at, later.at(-1) ?? result.created_at];
  }
  return times && { value: assemble(counting).value, isFailed, extras, times };
}

/** What the results of calls paid. */
export const rewardsOf = ({ extras }: Answer): number[] =>
  extras.flatMap(({ reward }) => (typeof reward === 'number' ? [reward] : []));

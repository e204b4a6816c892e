import type { JSONObject, JSONValue, Timestamp, ToolCallBlock, ToolResultBlock } from '../../../generated/trace.ts';
import { type Awaitable, andThen } from '../../core/index.ts';
import {
  assemble,
  type Batches,
  flatMapBatches,
  forEachBatch,
  isDelta,
  isErrorResult,
  type TraceReader,
} from '../model/index.ts';
import { type Conversation, callResultOrdinals } from './conversation.ts';

/** A call and what became of it. */
export interface ExportedCall {
  readonly ord: number;
  readonly block: ToolCallBlock;
  /** Undefined where there is no result yet. */
  readonly results: CallResults | undefined;
}

/** The results of a call, assembled; of each no more is kept than formats show. */
export interface CallResults {
  readonly value: JSONValue;
  readonly isFailed: boolean;
  /** Of all results that have one. */
  readonly extras: readonly JSONObject[];
  /** When the first and the last of them were written. */
  readonly times: readonly [Timestamp, Timestamp];
}

/** Calls with their results; of those that are not at hand, one with its results is in memory at a time. */
export const readCalls = ({ trace }: Conversation, calls: readonly number[]): Batches<ExportedCall> =>
  flatMapBatches(trace.read(calls), ({ ord, block }) =>
    andThen(readAnswer(trace, ord), (results) => [{ ord, block: block as ToolCallBlock, results }]),
  );

function readAnswer(trace: TraceReader, call: number): Awaitable<CallResults | undefined> {
  // The last output counts; pieces count where there is none.
  let output: ToolResultBlock | undefined;
  let deltas: ToolResultBlock[] = [];
  let isFailed = false;
  const extras: JSONObject[] = [];
  let times: CallResults['times'] | undefined;
  const reading = forEachBatch(trace.read(callResultOrdinals(trace.layout, call)), ({ block }) => {
    const result = block as ToolResultBlock;
    if (!isDelta(result.payload.delta)) [output, deltas] = [result, []];
    else if (!output) deltas.push({ ...result, raw: null });
    isFailed ||= isErrorResult(result);
    if (result.extra !== null) extras.push(result.extra);
    times = widened(times, result.created_at);
  });
  const value = () => (output ? (output.payload.output ?? null) : assemble(deltas).value);
  return andThen(reading, () => times && { value: value(), isFailed, extras, times });
}

function widened(times: CallResults['times'] | undefined, time: Timestamp): CallResults['times'] {
  const [first, last] = times ?? [time, time];
  return [time < first ? time : first, time > last ? time : last];
}

/** What the results of calls paid. */
export const callRewards = ({ extras }: CallResults): number[] =>
  extras.flatMap(({ reward }) => (typeof reward === 'number' ? [reward] : []));

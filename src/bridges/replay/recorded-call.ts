import type { JSONValue, StitchedToolCall } from '../../../generated/trace.ts';
import { isRecord } from '../../core/index.ts';
import type { ToolResult } from '../../environment/index.ts';
import { type JSONObject, text } from '../../protocol/index.ts';
import { outputParts } from '../../trace/formats/index.ts';
import { assemble } from '../../trace/model/index.ts';
import { describeMissing, partsToBlocks, toOrsBlock } from './recorded-blocks.ts';

/** A call as it was recorded. */
export interface RecordedCall {
  readonly name: string;
  readonly input: JSONObject;
  readonly outcome: RecordedOutcome;
}

/** What came of it: what the tool gave, or why it gave nothing. */
export type RecordedOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly reason: string };

export async function toRecordedCall(call: StitchedToolCall, trace: string): Promise<RecordedCall> {
  const { payload, extra } = call;
  // A name that stores do not take stands beside.
  const name = typeof extra?.name === 'string' ? extra.name : payload.name;
  const input = payload.arguments;
  if (isBlob(input)) throw new Error(describeMissing(trace, `the input of a call of '${name}'`));
  return { name, input, outcome: await outcomeOf(call, name, trace) };
}

async function outcomeOf(call: StitchedToolCall, name: string, trace: string): Promise<RecordedOutcome> {
  const { state, value } = call.assembled ?? assemble(call.tool_results);
  if (state === 'pending') return { ok: false, reason: 'the recorded call has no result' };
  if (isBlob(value)) throw new Error(describeMissing(trace, `the output of a call of '${name}'`));
  if (isRecord(value) && value.ok === false) return { ok: false, reason: reasonOf(value.error, name) };
  const output = isRecord(value) && value.ok === true && isRecord(value.output) ? (value.output as JSONValue) : value;
  if (isRecord(output) && Array.isArray(output.blocks)) return { ok: true, result: resultOf(output as JSONObject) };
  // Of another kind of recorder: rewards, if any, stand beside the result.
  const beside = call.tool_results.at(-1)?.extra ?? {};
  const blocks = partsToBlocks(await outputParts(output, { blob: async () => undefined }));
  return { ok: true, result: { blocks, ...worthOf(beside) } };
}

function resultOf(output: JSONObject): ToolResult {
  const blocks = (output.blocks as JSONValue[]).map((block) => toOrsBlock(block) ?? text(JSON.stringify(block)));
  // What is in a trace is JSON.
  const metadata = isRecord(output.metadata) ? (output.metadata as JSONObject) : null;
  return { blocks, metadata, ...worthOf(output) };
}

const worthOf = ({ reward, finished }: JSONObject): Pick<ToolResult, 'reward' | 'finished'> => ({
  reward: typeof reward === 'number' ? reward : null,
  finished: finished === true,
});

/** Without what servers put before it, as the one that replays does so again. */
function reasonOf(error: JSONValue | undefined, name: string): string {
  const reason = typeof error === 'string' ? error : JSON.stringify(error ?? null);
  const before = `Tool '${name}' failed: `;
  return reason.startsWith(before) ? reason.slice(before.length) : reason;
}

const isBlob = (value: JSONValue): boolean => isRecord(value) && typeof value.$blob === 'string';

import type { JSONValue, StitchedMessage, StitchedToolCall } from '../../../../generated/trace.ts';
import { canonicalJson, isRecord, sum } from '../../../core/index.ts';

/** One thing of a trace: what was said, thought or called, and what came of it. */
export interface TraceItem {
  readonly id: string;
  /** The same for items that are the same but for what came of them. */
  readonly key: string;
  /** What it is, such as `assistant` or the name of a tool: only items of one kind are held against each other. */
  readonly tool: string;
  readonly title: string;
  readonly text: string;
  /** Of a call; undefined while there is none. */
  readonly result: string | undefined;
  readonly isError: boolean;
  readonly reward: number | null;
}

/** Messages with their thoughts and calls, in the order in which all of it happened. */
export function toTraceItems(messages: readonly StitchedMessage[]): readonly TraceItem[] {
  return messages.flatMap((message) => {
    const children = new Map<string, TraceItem>([
      ...message.thinks.map(
        (think) => [think.id, plain(think.id, 'thought', think.payload.text, think.extra)] as const,
      ),
      ...message.tool_calls.map((call) => [call.id, ofCall(call)] as const),
    ]);
    const { id, payload, extra, child_order } = message;
    const own = plain(id, payload.role, contentToText(payload.content), extra);
    return [own, ...child_order.flatMap((child) => children.get(child) ?? [])];
  });
}

type ItemExtra = Readonly<Record<string, unknown>> | null;

const plain = (id: string, title: string, text: string, extra: ItemExtra): TraceItem => ({
  id,
  key: `${title} ${text}`,
  tool: title,
  title,
  text,
  result: undefined,
  isError: false,
  reward: rewardOf(extra),
});

function ofCall({ id, payload, extra, tool_results, assembled }: StitchedToolCall): TraceItem {
  const rewards = [extra, ...tool_results.map((result) => result.extra)]
    .map(rewardOf)
    .filter((value) => value !== null);
  const { text, isError } = resultText(assembled?.value ?? null);
  return {
    id,
    key: `call ${payload.name} ${orElse(() => canonicalJson(payload.arguments), id)}`,
    tool: `call ${payload.name}`,
    title: payload.name,
    text: argumentsText(payload.arguments),
    result: assembled === undefined || assembled.state === 'pending' ? undefined : text,
    isError: isError || tool_results.some((result) => result.extra?.tool_error === true),
    reward: rewards.length === 0 ? null : sum(rewards),
  };
}

function rewardOf(extra: ItemExtra): number | null {
  return typeof extra?.reward === 'number' ? extra.reward : null;
}

function argumentsText(given: Readonly<Record<string, JSONValue>>): string {
  const values = Object.values(given);
  if (values.length === 1 && typeof values[0] === 'string') return values[0];
  // In one order of keys, so that texts differ only where values do.
  return orElse(() => jsonText(JSON.parse(canonicalJson(given))), '…');
}

/** What people read of an output: the texts of blocks, the sentence of an error, or JSON. */
function resultText(value: JSONValue): { readonly text: string; readonly isError: boolean } {
  if (isRecord(value)) {
    if (value.ok === false && typeof value.error === 'string') return { text: value.error, isError: true };
    const output = isRecord(value.output) ? value.output : value;
    if (Array.isArray(output.blocks)) return { text: contentToText(output.blocks), isError: false };
  }
  return { text: typeof value === 'string' ? value : jsonText(value), isError: false };
}

/** Text, or parts below each other; pictures in words. */
export function contentToText(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map(partText).join('\n') : jsonText(content);
}

function partText(part: unknown): string {
  if (!isRecord(part)) return jsonText(part);
  if (typeof part.text === 'string') return part.text;
  if (typeof part.data === 'string') return `[${part.type} ${part.mimeType ?? ''}: ${part.data.length} characters]`;
  return typeof part.preview === 'string' ? `${part.preview} …` : jsonText(part);
}

const jsonText = (value: unknown): string => orElse(() => JSON.stringify(value, null, 2) ?? '', '…');

/** What is nested deeper than the stack goes cannot be told. */
function orElse(make: () => string, otherwise: string): string {
  try {
    return make();
  } catch (error) {
    if (error instanceof RangeError) return otherwise;
    throw error;
  }
}

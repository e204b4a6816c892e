import type { Block, JSONValue, RolloutMessages } from '../../../generated/trace.ts';
import { fieldsOf, isRecord, ownProperty, stringifyJson } from '../../core/index.ts';
import { type TraceReader, toBatchIterable } from '../model/index.ts';

type LoggedMessage = RolloutMessages['messages'][number];

/** Writes the blocks of a trace as the flat messages of the OpenReward client, in JSON, while they are read. */
export async function* writeRollout({ layout, read }: TraceReader): AsyncGenerator<string> {
  yield '{"messages":[';
  let position = 0;
  for await (const blocks of toBatchIterable(read(layout.ordinals()))) {
    for (const { block } of blocks) {
      // Such a block stands for an event that was not logged.
      if (ownProperty(block.extra, 'inferred') === true) continue;
      yield `${position > 0 ? ',' : ''}${JSON.stringify(toMessage(block, position))}`;
      position++;
    }
  }
  yield ']}';
}

const ROLES = { system: 'system_message', user: 'user_message', assistant: 'assistant_message' } as const;

function toMessage(block: Block, position: number): LoggedMessage {
  const { index, name, call_id, hidden, summary, content_reference } = fieldsOf(block.extra);
  const message = {
    index: typeof index === 'number' ? index : position,
    content: null,
    name: textOrNull(name),
    callId: textOrNull(call_id),
    contentReference: textOrNull(content_reference),
    summary: textOrNull(summary),
  };
  const { sub_type, payload } = block;
  if (sub_type === 'MESSAGE') return { ...message, type: ROLES[payload.role], content: contentText(payload.content) };
  if (sub_type === 'THINK') return { ...message, type: 'reasoning', content: hidden === true ? null : payload.text };
  const callId = message.callId ?? payload.call_id ?? null;
  if (sub_type === 'TOOL_CALL') {
    const content = argumentsText(payload.arguments);
    return { ...message, type: 'tool_call', content, name: message.name ?? payload.name, callId };
  }
  return { ...message, type: 'tool_result', content: textOf(payload.output ?? payload.delta ?? null), callId };
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const textOf = (value: JSONValue): string => (typeof value === 'string' ? value : stringifyJson(value));

/** Returns the arguments of a call as JSON; text that was not JSON as it was. */
export function argumentsText(args: unknown): string {
  const invalid = ownProperty(args, '$invalid_json');
  return typeof invalid === 'string' ? invalid : stringifyJson(args);
}

/** Returns the text of a content; other parts as JSON. */
function contentText(content: string | readonly JSONValue[] | readonly object[]): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => (isRecord(part) && typeof part.text === 'string' ? part.text : stringifyJson(part)))
    .join('\n');
}

import type { BlockId, BlockInput, JSONObject, RolloutMessage } from '../../../../generated/trace.ts';
import { isToolName, parseArguments } from '../../model/index.ts';

/** Where a message of a flat log belongs in the tree. */
export interface RolloutPosition {
  /** The newest MESSAGE before it. */
  readonly message: BlockId;
  /** The call that it answers, for a result. */
  readonly call: BlockId;
  /** Whether a call with its callId stands there already. */
  readonly isCallIdTaken: boolean;
}

export type BlockWithId = BlockInput & { readonly id: BlockId };

export const rolloutBlockId = ({ eventId }: Pick<RolloutMessage, 'eventId'>): BlockId => `tb_${eventId}`;

const ROLES = { system_message: 'system', user_message: 'user', assistant_message: 'assistant' } as const;

/** A message of the OpenReward client as a block; what a block has no field for stands in `extra`. */
export function rolloutMessageToBlock(event: RolloutMessage, id: BlockId, place: RolloutPosition): BlockWithId {
  const extra = extraOf(event, place);
  const { type, content } = event;
  if (type === 'reasoning') {
    return { id, sub_type: 'THINK', parent_block_id: place.message, payload: { text: thoughtOf(event) }, extra };
  }
  if (type === 'tool_call') {
    const payload = { ...callIdOf(event, place), name: nameOf(event), arguments: argumentsOf(content ?? '') };
    return { id, sub_type: 'TOOL_CALL', parent_block_id: place.message, payload, extra };
  }
  if (type === 'tool_result') {
    return { id, sub_type: 'TOOL_RESULT', parent_block_id: place.call, payload: { output: content ?? null }, extra };
  }
  // A message of the store has content; a turn without text is one empty part.
  const parts = content ? content : ([{ type: 'text', text: '' }] as const);
  return { id, sub_type: 'MESSAGE', payload: { role: ROLES[type], content: parts as string }, extra };
}

/** Hidden reasoning has a summary or a reference at most. */
const thoughtOf = ({ content, summary, contentReference }: RolloutMessage): string =>
  content || summary || contentReference || '(reasoning that the provider does not show)';

const callIdOf = ({ callId }: RolloutMessage, { isCallIdTaken }: RolloutPosition) =>
  callId && new TextEncoder().encode(callId).length <= 256 && !isCallIdTaken ? { call_id: callId } : {};

/** A name that the store takes: `extra.name` has what it was otherwise. */
const nameOf = ({ name }: RolloutMessage): string => (isToolName(name) ? name : 'unnamed');

/** The client sends arguments as JSON text; what is no object is kept as the text that it is. */
function argumentsOf(text: string): JSONObject {
  if (text.trim() === '') return {};
  return parseArguments(text).value ?? { $invalid_json: text };
}

function extraOf(event: RolloutMessage, { isCallIdTaken }: RolloutPosition): JSONObject {
  const { type, name, callId, reward, isFinished, metadata, summary, contentReference, index, timestamp } = event;
  const isKept = type === 'tool_call' && isToolName(name);
  const fields = {
    index,
    timestamp,
    reward,
    finished: isFinished === true ? true : undefined,
    metadata,
    summary,
    content_reference: contentReference,
    name: isKept ? undefined : name,
    call_id: type === 'tool_call' && !isCallIdTaken ? undefined : callId,
  };
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  ) as JSONObject;
}

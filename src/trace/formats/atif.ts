import { createHash, type Hash } from 'node:crypto';
import type { ToolCallBlock, Trace } from '../../../generated/trace.ts';
import { type Awaitable, andThen, definedFields } from '../../core/index.ts';
import { type Batches, concatBatches, flatMapBatches } from '../model/index.ts';
import {
  type AssistantTurnEntry,
  type Conversation,
  callResultOrdinals,
  exportedCallKey,
  readConversation,
  turnOrdinals,
} from './conversation.ts';
import {
  type ConversationMessage,
  callsWithResult,
  type DisplayPart,
  type ImageDisplayPart,
  partsToText,
  partToText,
  readMessage,
  readOutputs,
  readTimes,
  reasoningField,
  toOpenAIFunctions,
} from './conversation-parts.ts';
import { type ExportFormat, streamJsonLine } from './format.ts';
import {
  CANONICAL,
  isStreamed,
  lazyObject,
  type StreamedJson,
  streamedList,
  streamedObject,
  writeJson,
} from './streamed-json.ts';

/** First version with images. */
const VERSION = 'ATIF-v1.6';

/**
 * Agent Trajectory Interchange Format of Harbor, version 1.6: one document per line for each trace with a message. Each
 * message of the system or user is a step, and each turn of the model with its results, whose rewards are in `extra`.
 * Images are data URLs.
 *
 * `extra.ors_kit` contains the trace and its blocks, so that an import is lossless, and a hash of the steps, which tells an
 * import if the steps were changed. This doubles the size.
 */
export const atif: ExportFormat = {
  extension: 'atif.jsonl',
  async *write(source) {
    const conversation = await readConversation(source);
    if (!conversation.isEmpty) yield* streamJsonLine(documentOf(conversation));
  },
};

function documentOf(conversation: Conversation): StreamedJson {
  const { trace } = conversation;
  const { id, model, reward_sum, reward_last, reward_max, reward_count, error_count } = trace;
  const { group_reward } = trace.metadata;
  const tools = toOpenAIFunctions(trace);
  const written: WrittenSteps = { steps: 0, sha256: createHash('sha256') };
  return lazyObject(() => ({
    schema_version: VERSION,
    session_id: id,
    agent: {
      name: agentOf(trace),
      version: 'unknown',
      ...(model === null ? {} : { model_name: model }),
      ...(tools.length > 0 ? { tool_definitions: tools } : {}),
    },
    steps: streamedList(() => stepsOf(conversation, written)),
    final_metrics: lazyObject(() => ({
      total_steps: written.steps,
      extra: { reward_sum, reward_last, reward_max, reward_count, error_count, ...definedFields({ group_reward }) },
    })),
    extra: lazyObject(() => ({ ors_kit: originalOf(conversation, written) })),
  }));
}

/** Returns the content of `extra.ors_kit`. */
const originalOf = ({ trace, reader }: Conversation, { sha256 }: WrittenSteps): StreamedJson =>
  lazyObject(() => ({
    trace,
    blocks: streamedList(() => flatMapBatches(reader.read(reader.layout.ordinals()), ({ block }) => [block])),
    steps_sha256: sha256.digest('hex'),
  }));

/** Number and hash of the steps, complete when they are written. */
interface WrittenSteps {
  steps: number;
  /** Hash of their canonical JSON. */
  readonly sha256: Hash;
}

/** Writes the steps. Streamed values are read twice: for the document, and as canonical JSON for the hash. */
function stepsOf(conversation: Conversation, written: WrittenSteps): Batches<unknown> {
  const steps = flatMapBatches(conversation.read(), (entry) =>
    andThen(readMessage(conversation, entry.message), (message) =>
      entry.kind === 'input'
        ? [inputMessage(message)]
        : andThen(turn(entry, message, conversation), (members) => [members]),
    ),
  );
  const hashed = flatMapBatches(steps, (members) => {
    written.sha256.update(written.steps === 0 ? '[' : ',');
    const step = streamedObject({ step_id: ++written.steps, ...members });
    return andThen(hashStep(written.sha256, step), () => [step]);
  });
  return concatBatches(hashed, () => {
    written.sha256.update(']');
    return [];
  });
}

function hashStep(sha256: Hash, step: unknown): Awaitable<void> {
  if (isStreamed(step)) return hashPieces(sha256, writeJson(step, CANONICAL));
  sha256.update(CANONICAL.toJson(step));
}

async function hashPieces(sha256: Hash, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) sha256.update(piece);
}

/** Returns the name of the agent, which the format requires, from fields that trainers log. */
function agentOf({ rollout_info, run_info }: Trace): string {
  const names = [rollout_info.harness, run_info.harness, run_info.framework];
  return names.filter((name) => typeof name === 'string').find((name) => name !== '') ?? 'unknown';
}

const inputMessage = ({ block, role, pieces }: ConversationMessage): object => ({
  timestamp: block?.created_at,
  source: role,
  message: contentOf(pieces),
});

function turn(
  turn: AssistantTurnEntry,
  { pieces }: ConversationMessage,
  conversation: Conversation,
): Awaitable<object> {
  const { thinks, calls } = turn;
  const first = turnOrdinals(turn).reduce((min, ord) => Math.min(min, ord));
  const withResult = callsWithResult(conversation, calls);
  const rewarded = calls.filter((call) => rewardsOf(conversation, call).length > 0);
  return andThen(readTimes(conversation, [first]), ([timestamp]) => ({
    timestamp,
    source: 'agent',
    message: contentOf(pieces),
    ...reasoningField(conversation, thinks),
    ...(calls.length > 0 ? { tool_calls: streamedList(() => toolCalls(calls, conversation)) } : {}),
    ...(withResult.length > 0
      ? { observation: streamedObject({ results: streamedList(() => results(withResult, conversation)) }) }
      : {}),
    ...(rewarded.length > 0
      ? { extra: streamedObject({ rewards: streamedList(() => rewards(rewarded, conversation)) }) }
      : {}),
  }));
}

const toolCalls = (calls: readonly number[], { reader }: Conversation): Batches<object> =>
  flatMapBatches(reader.read(calls), ({ block }) => {
    const call = block as ToolCallBlock;
    const { name, arguments: args } = call.payload;
    return [{ tool_call_id: exportedCallKey(call), function_name: name, arguments: args }];
  });

const results = (calls: readonly number[], conversation: Conversation): Batches<object> =>
  flatMapBatches(readOutputs(conversation, calls), ({ block, pieces }) => [
    { source_call_id: exportedCallKey(block), content: contentOf(pieces) },
  ]);

const rewardsOf = ({ reader: { layout } }: Conversation, call: number): readonly number[] =>
  callResultOrdinals(layout, call).flatMap((result) => layout.rewardOf(result) ?? []);

/** Returns the rewards of results, for readers that do not know ORS. */
const rewards = (calls: readonly number[], conversation: Conversation): Batches<object> =>
  flatMapBatches(conversation.reader.read(calls), ({ ord, block }) =>
    rewardsOf(conversation, ord).map((reward) => ({ source_call_id: exportedCallKey(block as ToolCallBlock), reward })),
  );

const IMAGE_TYPES: readonly unknown[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const isKnownImage = (piece: DisplayPart): piece is ImageDisplayPart =>
  piece.kind === 'image' && IMAGE_TYPES.includes(piece.mediaType);

/** Returns text unless there is an image of a type that the format allows. */
function contentOf(pieces: readonly DisplayPart[]): string | object[] {
  if (!pieces.some(isKnownImage)) return partsToText(pieces);
  return pieces.map((piece) =>
    isKnownImage(piece)
      ? { type: 'image', source: { media_type: piece.mediaType, path: piece.url } }
      : { type: 'text', text: partToText(piece) },
  );
}

import type { Block, ToolCallBlock, Trace } from '../../../generated/trace.ts';
import { readCalls } from './calls.ts';
import { type Conversation, keyOfCall, readConversation, resultsOf, type Said, type Turn } from './conversation.ts';
import { type ExportFormat, JSON_LINES, lineInPieces } from './format.ts';
import { createSha256, type Sha256 } from './hash.ts';
import { type ImagePiece, type Piece, piecesOfOutput, textOfPiece, textOfPieces } from './pieces.ts';
import { CANONICAL, joined, jsonOf, list, object, type Streamed, text } from './streamed-json.ts';
import { functionsOf } from './tools.ts';
import { answered, placesOfTurn, readMessage, readThoughts, readTimes } from './turns.ts';

/** The first version with images. */
const VERSION = 'ATIF-v1.6';

/**
 * The Agent Trajectory Interchange Format of Harbor, version 1.6: one document as one line for each trace in which
 * something was said. A message of system or user is a step, and so is every turn of the model with the results of its
 * calls, whose rewards stand in `extra` of the step. Images are data URLs.
 *
 * `extra.ors_kit` at the root holds the trace and its blocks as they are, so that an import loses nothing, and a hash of
 * the steps, by which an import sees whether the steps are still those that the blocks tell. This doubles the size.
 */
export const atif: ExportFormat = {
  name: 'atif',
  mediaType: JSON_LINES,
  extension: 'atif.jsonl',
  async *write(source) {
    const conversation = await readConversation(source);
    if (!conversation.isEmpty) yield* lineInPieces(documentOf(source.trace, conversation));
  },
};

function documentOf(trace: Trace, conversation: Conversation): Streamed {
  const { id, model, reward_sum, reward_last, reward_max, reward_count, error_count } = trace;
  const tools = functionsOf(trace);
  const written: Written = { steps: 0, sha256: createSha256() };
  return object(() => ({
    schema_version: VERSION,
    session_id: id,
    agent: {
      name: agentOf(trace),
      version: 'unknown',
      ...(model === null ? {} : { model_name: model }),
      ...(tools.length > 0 ? { tool_definitions: tools } : {}),
    },
    steps: list(() => stepsOf(conversation, written)),
    final_metrics: object(() => ({
      total_steps: written.steps,
      extra: { reward_sum, reward_last, reward_max, reward_count, error_count },
    })),
    extra: object(() => ({ ors_kit: originalOf(trace, conversation, written) })),
  }));
}

/** What an ATIF document of ours has in `extra.ors_kit`. */
const originalOf = (trace: Trace, conversation: Conversation, { sha256 }: Written): Streamed =>
  object(() => ({
    trace,
    blocks: list(() => blocksOf(conversation)),
    steps_sha256: text(() => [sha256.hex()]),
  }));

async function* blocksOf({ trace }: Conversation): AsyncGenerator<Block> {
  for await (const { block } of trace.read(trace.layout.places())) yield block;
}

/** What is known of the steps once they are written. */
interface Written {
  steps: number;
  /** Of their canonical JSON. */
  readonly sha256: Sha256;
}

/** Each is read twice: in its own form, and in the canonical one for the hash. */
async function* stepsOf(conversation: Conversation, written: Written): AsyncGenerator<Streamed> {
  for await (const entry of conversation.read()) {
    written.sha256.add(written.steps === 0 ? '[' : ',');
    const step_id = ++written.steps;
    const members = entry.kind === 'said' ? await said(entry, conversation) : await turn(entry, conversation);
    const step = object(() => ({ step_id, ...members }));
    for await (const piece of jsonOf(step, CANONICAL)) written.sha256.add(piece);
    yield step;
  }
  written.sha256.add(']');
}

/** Every document names an agent; the names are those that trainers log. */
function agentOf({ rollout_info, run_info }: Trace): string {
  const names = [rollout_info.harness, run_info.harness, run_info.framework];
  return names.filter((name) => typeof name === 'string').find((name) => name !== '') ?? 'unknown';
}

async function said({ message }: Said, conversation: Conversation): Promise<object> {
  const { block, role, pieces } = await readMessage(conversation, message);
  return { timestamp: block?.created_at, source: role, message: contentOf(pieces) };
}

async function turn(turn: Turn, conversation: Conversation): Promise<object> {
  const { message, thinks, calls } = turn;
  const first = placesOfTurn(turn).reduce((least, ord) => Math.min(least, ord));
  const [timestamp] = await readTimes(conversation, [first]);
  const { pieces } = await readMessage(conversation, message);
  const withResult = answered(conversation, calls);
  const paid = calls.filter((call) => rewardsOf(conversation, call).length > 0);
  return {
    timestamp,
    source: 'agent',
    message: contentOf(pieces),
    ...(thinks.length > 0 ? { reasoning_content: text(() => joined(readThoughts(conversation, thinks), '\n\n')) } : {}),
    ...(calls.length > 0 ? { tool_calls: list(() => toolCalls(calls, conversation)) } : {}),
    ...(withResult.length > 0
      ? { observation: object(() => ({ results: list(() => results(withResult, conversation)) })) }
      : {}),
    ...(paid.length > 0 ? { extra: object(() => ({ rewards: list(() => rewards(paid, conversation)) })) } : {}),
  };
}

async function* toolCalls(calls: readonly number[], { trace }: Conversation): AsyncGenerator {
  for await (const { block } of trace.read(calls)) {
    const call = block as ToolCallBlock;
    const { name, arguments: given } = call.payload;
    yield { tool_call_id: keyOfCall(call), function_name: name, arguments: given };
  }
}

async function* results(calls: readonly number[], conversation: Conversation): AsyncGenerator {
  for await (const { block, answer } of readCalls(conversation, calls)) {
    if (!answer) continue;
    yield { source_call_id: keyOfCall(block), content: contentOf(await piecesOfOutput(answer.value, conversation)) };
  }
}

const rewardsOf = ({ trace: { layout } }: Conversation, call: number): readonly number[] =>
  [...resultsOf(layout, call)].flatMap((result) => layout.rewardOf(result) ?? []);

/** What the results of calls paid, for readers that know nothing of ORS. */
async function* rewards(calls: readonly number[], conversation: Conversation): AsyncGenerator {
  for await (const { ord, block } of conversation.trace.read(calls)) {
    for (const reward of rewardsOf(conversation, ord))
      yield { source_call_id: keyOfCall(block as ToolCallBlock), reward };
  }
}

const IMAGE_TYPES: readonly unknown[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const isKnownImage = (piece: Piece): piece is ImagePiece =>
  piece.kind === 'image' && IMAGE_TYPES.includes(piece.mediaType);

/** Text where there is no image that the format knows. */
function contentOf(pieces: readonly Piece[]): string | object[] {
  if (!pieces.some(isKnownImage)) return textOfPieces(pieces);
  return pieces.map((piece) =>
    isKnownImage(piece)
      ? { type: 'image', source: { media_type: piece.mediaType, path: piece.url } }
      : { type: 'text', text: textOfPiece(piece) },
  );
}

import type { Block, JSONObject, StitchedToolCall, Trace } from '../../../generated/trace.ts';
import { keyOfCall, readConversation, type Said, type Turn } from './conversation.ts';
import { type ExportFormat, JSON_LINES, lineOf, type TraceSource } from './format.ts';
import { sha256OfJson } from './hash.ts';
import { type ImagePiece, type Piece, piecesOfContent, piecesOfOutput, textOfPiece, textOfPieces } from './pieces.ts';
import { functionsOf } from './tools.ts';

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
    const kept: Block[] = [];
    const { entries } = await readConversation(keep(source.blocks(), kept));
    if (entries.length === 0) return;
    const steps: object[] = [];
    for (const [index, entry] of entries.entries()) {
      const step = entry.kind === 'said' ? await said(entry, source) : await turn(entry, source);
      steps.push({ step_id: index + 1, ...step });
    }
    yield lineOf(documentOf(source.trace, steps, kept));
  },
};

/** What an ATIF document of ours has in `extra.ors_kit`. */
export interface Original {
  readonly trace: Trace;
  readonly blocks: readonly Block[];
  readonly steps_sha256: string;
}

async function* keep(blocks: AsyncIterable<Block>, kept: Block[]): AsyncGenerator<Block> {
  for await (const block of blocks) {
    kept.push(block);
    yield block;
  }
}

function documentOf(trace: Trace, steps: readonly object[], blocks: readonly Block[]): object {
  const { id, model, reward_sum, reward_last, reward_max, reward_count, error_count } = trace;
  const tools = functionsOf(trace);
  const original: Original = { trace, blocks, steps_sha256: sha256OfJson(steps) };
  return {
    schema_version: VERSION,
    session_id: id,
    agent: {
      name: agentOf(trace),
      version: 'unknown',
      ...(model === null ? {} : { model_name: model }),
      ...(tools.length > 0 ? { tool_definitions: tools } : {}),
    },
    steps,
    final_metrics: {
      total_steps: steps.length,
      extra: { reward_sum, reward_last, reward_max, reward_count, error_count },
    },
    extra: { ors_kit: original },
  };
}

/** Every document names an agent; the names are those that trainers log. */
function agentOf({ rollout_info, run_info }: Trace): string {
  const names = [rollout_info.harness, run_info.harness, run_info.framework];
  return names.filter((name) => typeof name === 'string').find((name) => name !== '') ?? 'unknown';
}

async function said({ message }: Said, source: TraceSource): Promise<object> {
  const pieces = await piecesOfContent(message.payload.content, source);
  return { timestamp: message.created_at, source: message.payload.role, message: contentOf(pieces) };
}

async function turn({ message, thinks, calls }: Turn, source: TraceSource): Promise<object> {
  const first = [...(message ? [message] : []), ...thinks, ...calls].map(({ created_at }) => created_at).sort()[0];
  const pieces = message ? await piecesOfContent(message.payload.content, source) : [];
  const results = await resultsOf(calls, source);
  const rewards = calls.flatMap(rewardsOf);
  return {
    ...(first === undefined ? {} : { timestamp: first }),
    source: 'agent',
    message: contentOf(pieces),
    ...(thinks.length > 0 ? { reasoning_content: thinks.map(({ payload }) => payload.text).join('\n\n') } : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
    ...(results.length > 0 ? { observation: { results } } : {}),
    ...(rewards.length > 0 ? { extra: { rewards } } : {}),
  };
}

const toolCall = (call: StitchedToolCall) => ({
  tool_call_id: keyOfCall(call),
  function_name: call.payload.name,
  arguments: call.payload.arguments,
});

async function resultsOf(calls: readonly StitchedToolCall[], source: TraceSource): Promise<object[]> {
  const results: object[] = [];
  for (const call of calls) {
    if (!call.assembled || call.assembled.state === 'pending') continue;
    const pieces = await piecesOfOutput(call.assembled.value, source);
    results.push({ source_call_id: keyOfCall(call), content: contentOf(pieces) });
  }
  return results;
}

/** What the results of a call paid, for readers that know nothing of ORS. */
const rewardsOf = (call: StitchedToolCall): JSONObject[] =>
  call.tool_results.flatMap(({ extra }) =>
    typeof extra?.reward === 'number' ? [{ source_call_id: keyOfCall(call), reward: extra.reward }] : [],
  );

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

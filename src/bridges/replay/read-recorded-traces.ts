import type { Block, BlockInput } from '../../../generated/trace.ts';
import { restoreBlocks } from '../../trace/fit/index.ts';
import { type ImportedTrace, importTracesFrom } from '../../trace/formats/index.ts';
import { stitch } from '../../trace/model/index.ts';
import type { RecordedTrace } from './recorded-episode.ts';

/**
 * Reads traces out of an export: JSON Lines as `ors traces export` writes them, or what else `ors traces import` takes.
 *
 * @throws Error that names the line of what cannot be read.
 */
export async function* readRecordedTraces(text: AsyncIterable<string | Uint8Array>): AsyncGenerator<RecordedTrace> {
  for await (const item of importTracesFrom(text, 'auto')) {
    if (item.reason !== undefined) throw new Error(`line ${item.line}: ${item.reason}`);
    yield await recordedTrace(item);
  }
}

async function recordedTrace({ trace, blocks }: ImportedTrace): Promise<RecordedTrace> {
  const { id, environment = null, split = null, task_index = null, task_spec = null, metadata } = trace;
  const whole = await restoreBlocks(
    blocks.map((block, place) => storedBlock(block, id, place)),
    async () => undefined,
  );
  const { messages } = stitch(whole, { assemble: true });
  return { trace: { id, environment, split, task_index, task_spec, metadata: metadata ?? {} }, messages };
}

/** As a store would have it that was written to in this order. */
function storedBlock(block: BlockInput, trace_id: string, place: number): Block {
  const time = new Date(place).toISOString();
  // Blocks of an import are checked against the same schema; what a store adds is added here.
  return { raw: null, extra: null, metadata: {}, ...block, trace_id, created_at: time, updated_at: time } as Block;
}

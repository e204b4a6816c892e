import type { Block, BlockList, JSONValue, Trace } from '../../../generated/trace.ts';
import { isRecord } from '../../protocol/index.ts';
import { type Api, TraceError } from '../../trace/client/index.ts';
import { wholeBlocks } from '../../trace/fit/index.ts';
import { type ExportFormat, formats, type StoredImage } from '../../trace/formats/index.ts';
import { Failure } from '../failure.ts';

/** One trace in a format, page by page. @throws Failure if it is deleted meanwhile. */
export async function* exportTrace(api: Api, trace: Trace, format: ExportFormat): AsyncGenerator<string> {
  const types = new Map<string, string>();
  try {
    yield* format.write({
      trace,
      blocks: () => (format === formats.jsonl ? blocksOf(api, trace, types) : allInTheirPlaces(api, trace, types)),
      blob: (sha256) => imageOf(api, sha256, types),
    });
  } catch (error) {
    if (!(error instanceof TraceError) || !['TRACE_DELETED', 'TRACE_NOT_FOUND'].includes(error.code)) throw error;
    throw new Failure(`${trace.id} was deleted while it was exported; export again`, { cause: error });
  }
}

/** Formats of others know no blobs and no pieces. */
async function* allInTheirPlaces(api: Api, trace: Trace, types: Map<string, string>): AsyncGenerator<Block> {
  const blocks: Block[] = [];
  for await (const block of blocksOf(api, trace, types)) blocks.push(block);
  yield* await wholeBlocks(blocks, async (sha256) => (await imageOf(api, sha256, types))?.data);
}

/** As many blocks as the trace had when it was read: a trace and its blocks are one moment of it. */
async function* blocksOf(api: Api, { id, block_count }: Trace, types: Map<string, string>): AsyncGenerator<Block> {
  let after: string | null = '0';
  while (after !== null && Number(after) < block_count) {
    const query = { after: Number(after), before: block_count + 1, limit: 1000 };
    // The store's answers follow its specification; without `fields`, blocks are whole.
    const { blocks, page }: BlockList = (await api.json('listBlocks', { traceId: id, query })) as BlockList;
    for (const block of blocks as Block[]) {
      noteImages(block.payload as JSONValue, types);
      yield block;
    }
    after = page.next_cursor;
  }
}

/** Of stored images, what kind they are: only those who refer to one say so. */
function noteImages(value: JSONValue, types: Map<string, string>): void {
  if (Array.isArray(value)) for (const item of value) noteImages(item, types);
  if (!isRecord(value)) return;
  const { type, sha256, mimeType } = value;
  if (type === 'image_ref' && typeof sha256 === 'string' && typeof mimeType === 'string') types.set(sha256, mimeType);
  // What is in a record of JSON is JSON.
  for (const item of Object.values(value)) noteImages(item as JSONValue, types);
}

async function imageOf(api: Api, sha256: string, types: Map<string, string>): Promise<StoredImage | undefined> {
  try {
    const data = await api.bytes('getBlob', { sha256 });
    return { media_type: types.get(sha256) ?? 'application/octet-stream', data };
  } catch (error) {
    if (error instanceof TraceError && error.status === 404) return undefined;
    throw error;
  }
}
